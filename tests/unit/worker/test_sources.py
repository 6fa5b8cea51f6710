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


def install(*names: str, **texts: str) -> None:
    sources.prepare()
    texts = dict.fromkeys(names, OURS) | texts
    found = sources.Sources(texts)
    found.entries = frozenset({"work_of_a_student"})
    sources.install(found)


@pytest.mark.parametrize("others", [(), ("colorsys",)])
def test_a_name_of_nobody_else_s_is_the_submission_s(others: tuple[str, ...]) -> None:
    install("work_of_a_student", *others)
    assert importlib.import_module("work_of_a_student").NAME == "ours"


HOW = [
    "import {0} as found",
    "import importlib; found = importlib.import_module('{0}')",
    "found = __import__('{0}')",
    "def find():\n    import {0}\n    return {0}\nfound = find()",
]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", ["colorsys", "zipapp", "queue", "test"])
def test_the_submission_s_own_imports_find_its_own_module(
    monkeypatch: pytest.MonkeyPatch, name: str, how: str
) -> None:
    """As for a program that is run in its folder: of what is not loaded yet, its own files come first."""
    monkeypatch.delitem(sys.modules, name, raising=False)
    install(name, work_of_a_student=how.format(name))
    assert importlib.import_module("work_of_a_student").found.NAME == "ours"


@pytest.mark.parametrize("name", ["colorsys", "zipapp", "wsgiref", "_colorize_nothing"])
def test_the_library_s_imports_find_the_library_s(name: str) -> None:
    """Modules and packages that nothing has imported yet, and a name that only looks like one."""
    install("work_of_a_student", name)
    is_ours = getattr(importlib.import_module(name), "NAME", "") == "ours"
    assert is_ours is (name == "_colorize_nothing")


@pytest.mark.parametrize("name", ["sys", "re", "traceback", "ast"])
def test_what_is_loaded_and_what_we_need_is_python_s(name: str) -> None:
    install(name, work_of_a_student=f"import {name} as found")
    assert not hasattr(importlib.import_module("work_of_a_student").found, "NAME")


def test_a_name_that_another_system_s_python_has_is_free_here() -> None:
    name = "winreg" if sys.platform != "win32" else "_posixsubprocess"
    install(name)
    assert importlib.import_module(name).NAME == "ours"
