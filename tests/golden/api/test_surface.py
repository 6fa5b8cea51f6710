"""The names of `grader.api`, on which plugins rely.

A name that goes, or means something else, takes a new first number of `API` in `grader/registry/registry.py`;
one that comes takes a new second number.  `GRADER_UPDATE_GOLDEN=1` writes the file again.
"""

import inspect
import os
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

import grader.api
from grader.registry.groups import WANTED
from grader.registry.registry import API

GOLDEN = Path(__file__).parent / "surface.txt"
ROOMS = sorted(module.name for module in iter_modules(grader.api.__path__))


def surface() -> str:
    lines = [f"grader.api {API}"]
    for room in ROOMS:
        module = import_module(f"grader.api.{room}")
        lines += [f"{room}.{name}" for name in sorted(module.__all__) if hasattr(module, name)]
    return "\n".join(lines) + "\n"


def test_the_surface_is_what_it_was() -> None:
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        GOLDEN.write_text(surface(), encoding="utf-8")
    assert surface() == GOLDEN.read_text(encoding="utf-8")


def test_each_name_is_there_and_documented() -> None:
    """Of classes all methods too.  Other values have their meaning beside them in the source."""
    for room in ROOMS:
        module = import_module(f"grader.api.{room}")
        assert module.__doc__
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isfunction(value):
                assert value.__doc__, f"{room}.{name}"


@pytest.mark.parametrize("wanted", sorted(set(WANTED.values()) - {"click:Command"}))
def test_all_that_a_plugin_answers_is_documented(wanted: str) -> None:
    module, _, name = wanted.partition(":")
    methods = inspect.getmembers(getattr(import_module(module), name), inspect.isfunction)
    bare = [method for method, function in methods if method[0] != "_" and not inspect.getdoc(function)]
    assert bare == []
