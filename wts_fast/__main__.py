"""`python -m wts_fast` is the command `wts-fast`."""

import sys

from wts_fast.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
