"""Ordinary modules are known to keep no state, so that their cases may share a process."""

import ast
import builtins
from collections.abc import Callable

import pytest
import stateless_modules
from snippets import snippets

from grader.worker import harmless, stateless_functions
from grader.worker.stateless import is_stateless


@pytest.mark.parametrize("name", stateless_modules.MODULES)
def test_an_ordinary_module_is_stateless(name: str) -> None:
    entry, texts = stateless_modules.MODULES[name]
    assert is_stateless(texts, entry)


ACCEPTED = snippets("stateless/accepted.txt")


@pytest.mark.parametrize("kind", ACCEPTED)
def test_a_harmless_piece_is_accepted(kind: str) -> None:
    assert is_stateless({"m": ACCEPTED[kind]}, "m")


def test_every_kind_of_syntax_is_decided_on() -> None:
    """What a later Python adds is refused until somebody has looked at it."""
    nodes = {
        kind
        for kind in vars(ast).values()
        if isinstance(kind, type) and issubclass(kind, (ast.expr, ast.stmt, ast.pattern))
    }
    refused = {
        "AsyncFor", "AsyncFunctionDef", "AsyncWith", "Await", "ClassDef", "Global", "Import", "ImportFrom",
        "MatchClass", "TryStar", "With", "TypeAlias", "TemplateStr", "Interpolation",
    }  # fmt: skip
    old = {"AugLoad", "AugStore", "Bytes", "Ellipsis", "Num", "NameConstant", "Param", "Str", "Suite"}
    abstract = {"expr", "stmt", "pattern"}
    allowed = {kind.__name__ for kind in stateless_functions._PARTS}
    assert {kind.__name__ for kind in nodes} - allowed - old - abstract <= refused


@pytest.mark.parametrize("names", [harmless.METHODS, harmless.BUILTINS], ids=["methods", "built-ins"])
def test_nothing_with_underscores_is_on_a_list(names: frozenset[str]) -> None:
    assert not [name for name in names if name.startswith("_")]


@pytest.mark.parametrize("reader", sorted(harmless.READERS | harmless.CHOOSERS))
def test_a_reader_never_hands_out_the_list_it_reads(reader: str) -> None:
    """By trial: no argument after the call is in what the call returns."""
    function: Callable[..., object] = getattr(builtins, reader)
    table = [3, 1, 2]
    result = function(len, table) if reader in ("map", "filter") else function(table)
    assert result is not table
    try:
        items = [*result]  # type: ignore[misc]
    except TypeError:
        items = []
    assert not any(item is table for item in items)
