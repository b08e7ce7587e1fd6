"""The entrance of `python -m hotline`."""

from __future__ import annotations

from hotline.cli import main

main()
