"""PySMT's own test suite with Craig as its only solver: python pysmt_suite.py [pytest arguments]"""

import os
import sys
from pathlib import Path

os.environ["PYSMT_SOLVER"] = "craig"

import pysmt.test  # noqa: E402
import pytest  # noqa: E402

import craig.pysmt  # noqa: E402

craig.pysmt.register()
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", str(Path(pysmt.test.__file__).parent), *sys.argv[1:]]))
