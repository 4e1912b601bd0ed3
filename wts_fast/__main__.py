"""`python -m wts_fast` is the command `wts-fast`."""

import sys

from wts_fast.cli import main

sys.exit(main())
