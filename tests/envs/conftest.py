"""Which tests of the environments run."""

import sys
import sysconfig

# OpenSpiel has no wheels for Python 3.10, nor for Python without the GIL.
if sys.version_info < (3, 11) or sysconfig.get_config_var("Py_GIL_DISABLED"):
    collect_ignore = ["test_openspiel.py"]
