"""Jobs are queued by name, and `hotline` never imports `workers`: so every name is resolved here."""

from __future__ import annotations

import ast
import importlib
import inspect
import re

from tests.house.sources import modules, tree

JOB_NAME = re.compile(r"workers\.[a-z_]+\.[a-z_]+")


def _named() -> dict[str, str]:
    """Dotted names of jobs written as text anywhere in the product, and where."""
    return {
        node.value: f"{module}:{node.lineno}"
        for module in modules()
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and JOB_NAME.fullmatch(node.value)
    }


def test_every_job_name_is_a_job() -> None:
    """A renamed job would leave its reports in the queue for ever."""
    named = _named()
    assert named, "no job is named anywhere: has the way of queueing changed?"
    for name, place in named.items():
        module, _, function = name.rpartition(".")
        assert callable(getattr(importlib.import_module(module), function, None)), f"{place} names {name}"


def test_every_job_takes_json() -> None:
    """A job's payload crosses a queue as JSON: text and whole numbers only."""
    for name in _named():
        module, _, function = name.rpartition(".")
        taken = inspect.signature(getattr(importlib.import_module(module), function)).parameters.values()
        assert {each.annotation for each in taken} <= {"str", "int"}, name
