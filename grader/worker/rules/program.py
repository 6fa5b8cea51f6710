"""The entry of the box: all rules over all modules of one submission."""

from collections.abc import Callable
from typing import Any

from grader.worker.rules import trees
from grader.worker.rules.compiler import no_warnings
from grader.worker.rules.constructs import forbidden_constructs, required_constructs
from grader.worker.rules.findings import Found, Module
from grader.worker.rules.global_names import no_globals
from grader.worker.rules.headers import header
from grader.worker.rules.imports import allowed_imports, forbidden_imports
from grader.worker.rules.names import forbidden_names
from grader.worker.rules.recursion import no_recursion
from grader.worker.rules.scopes import build

MAX_FOUND = 50
"""Findings of one rule that are told; more than anyone reads."""

COMPLEX, INVALID = "too complex", "not Python"

_CHECKS: dict[str, Callable[..., list[Found]]] = {
    "no recursion": no_recursion,
    "forbidden imports": forbidden_imports,
    "allowed imports": allowed_imports,
    "forbidden names": forbidden_names,
    "no globals": no_globals,
    "header": header,
    "forbidden constructs": forbidden_constructs,
    "required constructs": required_constructs,
    "no warnings": no_warnings,
}

Problem = tuple[str, int, str]
"""Why a module can't be looked at: `COMPLEX` or `INVALID`, the line, the parser's words."""


def check(
    files: dict[str, tuple[str, str]], rules: list[tuple[str, list[str], dict[str, Any]]]
) -> tuple[dict[str, Problem], list[tuple[list[tuple[str, int, str]], list[str]]]]:
    """Look for what breaks the rules.

    files: file name and text by module.  rules: kind, modules to look at, and what the kind takes.
    Returns the modules that can't be parsed, and for each rule what was found, sorted, and the
    modules that the rule could not be checked on.
    """
    modules: dict[str, Module] = {}
    problems: dict[str, Problem] = {}
    parsed = {}
    trees.forbid_deep_walks()
    for name, (file, text) in files.items():
        try:
            parsed[name] = trees.parse(text, file)
        except trees.NotPython as error:
            problems[name] = (INVALID, error.line, str(error))
        except trees.TooComplex:
            problems[name] = (COMPLEX, 0, "")
    trees.allow_deep_walks()
    for name, tree in parsed.items():
        file, text = files[name]
        try:
            modules[name] = Module(name, file, text, tree, build(tree), frozenset(files))
        except (RecursionError, MemoryError):
            problems[name] = (COMPLEX, 0, "")
    return problems, [_check_rule(*rule, modules) for rule in rules]


def _check_rule(
    kind: str, names: list[str], options: dict[str, Any], modules: dict[str, Module]
) -> tuple[list[tuple[str, int, str]], list[str]]:
    looked_at = [modules[name] for name in names if name in modules]
    if kind not in _CHECKS or not looked_at:
        return [], []
    try:
        found = _CHECKS[kind](looked_at, **options)
    except (RecursionError, MemoryError):
        return [], [module.name for module in looked_at]
    told = sorted(set(found))[:MAX_FOUND]
    return [(each.module, each.line, each.message) for each in told], []
