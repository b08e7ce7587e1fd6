"""The contest, its real worksheets and the English prompts, read once."""

from __future__ import annotations

import pytest

from hotline.caucus.contest import Contest
from hotline.caucus.folder import read_contest
from hotline.caucus.worksheet import Worksheet
from hotline.practice.rehearsal import read_sheets
from hotline.settings import config_folder
from hotline.store.roster import read_folder
from hotline.telephony.speech import Prompts, read_prompts

FOLDER = config_folder() / "contests" / "iowa-2020"


@pytest.fixture(scope="session")
def contest() -> Contest:
    return read_contest(read_folder(FOLDER))


@pytest.fixture(scope="session")
def sheets(contest: Contest) -> dict[str, Worksheet]:
    return read_sheets(contest, FOLDER)


@pytest.fixture(scope="session")
def prompts() -> Prompts:
    return read_prompts(config_folder() / "prompts")
