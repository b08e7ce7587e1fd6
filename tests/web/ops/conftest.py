"""A line with the real Iowa contest behind the wall, its clock held."""

from __future__ import annotations

from tests.web.console.conftest import app, clock, database, line

__all__ = ["app", "clock", "database", "line"]
