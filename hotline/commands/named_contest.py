"""A contest by name, without a line: one of those that come with the product, or a folder."""

from __future__ import annotations

from pathlib import Path

from hotline.caucus.contest import Contest
from hotline.caucus.folder import read_contest
from hotline.errors import SetupError
from hotline.settings import config_folder
from hotline.store.roster import read_folder

DEFAULT = "iowa-2020"


def folder_of(name: str) -> Path:
    """The folder of a contest that comes with the product, or the folder `name` itself. Raises SetupError."""
    shipped = config_folder() / "contests"
    if (shipped / name / "contest.toml").is_file():
        return shipped / name
    if (Path(name) / "contest.toml").is_file():
        return Path(name)
    known = ", ".join(sorted(each.name for each in shipped.iterdir() if each.is_dir()))
    raise SetupError(f"no contest {name}: known are {known}, or give the path of a contest folder")


def read(name: str) -> Contest:
    """The contest itself. Raises SetupError when there is none of that name, FolderProblems when it is not sound."""
    return read_contest(read_folder(folder_of(name)))
