"""Where imports look for a module: the interpreter first, then the submission."""

import importlib
import sys
from collections.abc import Iterator

import pytest

from grader.worker.box import sources

OURS = "NAME = 'ours'\n"


@pytest.fixture(autouse=True)
def imports() -> Iterator[None]:
    finders, hooks, modules = list(sys.meta_path), list(sys.path_hooks), set(sys.modules)
    yield
    sys.meta_path[:] = finders
    # The box's finders never look again at what lies in a folder.
    sys.path_hooks[:] = hooks
    sys.path_importer_cache.clear()
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def install(*names: str) -> None:
    sources.prepare()
    texts = dict.fromkeys(names, OURS)
    sources.install(sources.Sources(texts), texts)


@pytest.mark.parametrize("others", [(), ("colorsys",)])
def test_a_name_of_nobody_else_s_is_the_submission_s(others: tuple[str, ...]) -> None:
    install("work_of_a_student", *others)
    assert importlib.import_module("work_of_a_student").NAME == "ours"


@pytest.mark.parametrize("name", ["colorsys", "zipapp", "wsgiref", "_colorize_nothing"])
def test_a_module_of_the_interpreter_s_comes_first(name: str) -> None:
    """Modules and packages that nothing has imported yet, and a name that only looks like one."""
    install("work_of_a_student", name)
    is_ours = getattr(importlib.import_module(name), "NAME", "") == "ours"
    assert is_ours is (name == "_colorize_nothing")


def test_a_name_that_another_system_s_python_has_is_free_here() -> None:
    name = "winreg" if sys.platform != "win32" else "_posixsubprocess"
    install(name)
    assert importlib.import_module(name).NAME == "ours"
