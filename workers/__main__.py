"""The entrance of `python -m workers`."""

from __future__ import annotations

import sys

from workers.main import main

sys.exit(main(sys.argv[1:]))
