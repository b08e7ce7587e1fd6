"""The values of the caucus never change once made: a worksheet, a finding or a contest may be shared by everybody."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil

import hotline.caucus
from hotline.caucus.rows import Problems


def test_every_value_is_frozen_but_the_list_of_problems() -> None:
    """Only `Problems` gathers; whatever else is a dataclass refuses to be changed."""
    modules = [
        importlib.import_module(f"hotline.caucus.{each.name}") for each in pkgutil.iter_modules(hotline.caucus.__path__)
    ]
    values = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and dataclasses.is_dataclass(value)
    }
    thawed = {value for value in values if not value.__dataclass_params__.frozen}  # type: ignore[attr-defined]
    assert (len(values) > 20, thawed) == (True, {Problems})
