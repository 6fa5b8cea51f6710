"""The program of the box for rules: applies all rules, each to the modules that it covers."""

from collections.abc import Callable, Iterator
from typing import Any

from grader.rules.closure import Imports, closure
from grader.rules.kinds.constructs import forbidden_constructs
from grader.rules.kinds.documented import docstrings, type_hints
from grader.rules.kinds.global_names import no_globals
from grader.rules.kinds.imports import allowed_imports, forbidden_imports
from grader.rules.kinds.names import forbidden_names
from grader.rules.kinds.recursion import no_recursion
from grader.rules.kinds.required import required_constructs, required_recursion
from grader.rules.kinds.texts import header, no_warnings
from grader.rules.reach import imports_of
from grader.rules.source.binding import build
from grader.rules.source.canonical import Canonical, canonical
from grader.rules.source.modules import (
    Module,
    NotPython,
    RuleHit,
    TooComplex,
    allow_deep_walks,
    decoded,
    forbid_deep_walks,
    parse_module,
)
from grader.wire.source_text import OF_PYTHON

MAX_FOUND = 50
"""The most findings of one rule that are reported; more than anyone reads."""

COMPLEX, INVALID, BAD_CELL = "too complex", "not Python", "a cell that is not Python"

_CHECKS: dict[str, Callable[..., list[RuleHit]]] = {
    "no recursion": no_recursion,
    "forbidden imports": forbidden_imports,
    "allowed imports": allowed_imports,
    "forbidden names": forbidden_names,
    "no globals": no_globals,
    "header": header,
    "forbidden constructs": forbidden_constructs,
    "required constructs": required_constructs,
    "required recursion": required_recursion,
    "docstrings": docstrings,
    "type hints": type_hints,
    "no warnings": no_warnings,
}
_FOLLOW_CALLS = frozenset({"required constructs", "required recursion"})
"""Rules that look at what imported modules define, although they ask nothing of these."""

_OF_TEXT = frozenset({"header", "docstrings", "type hints", "no warnings"})
"""Rules for which it does not matter what an import finds."""

Problem = tuple[str, int, str]
"""Why a module cannot be examined: `COMPLEX` or `INVALID`, the line, the parser's words.

`BAD_CELL`, under the module's name and the cell's number: a cell that was left out, and that number.
"""

Reading = tuple[str | None, Canonical | None]
"""The text of a module that Python had to decode, None for others; and its canonical form, for tools."""

Places = list[tuple[str, int, str]]
Report = tuple[Places, Places, list[str], list[str]]
"""The report of one rule: the places where it is broken; those where that is not decidable; the modules that
could not be checked; all modules that it covers."""


def check(
    files: dict[str, tuple[str, str]],
    rules: list[tuple[str, list[str], bool, dict[str, Any]]],
    *,
    for_tools: bool = False,
) -> tuple[dict[str, Problem], dict[str, Reading], dict[str, list[str] | None], list[Report]]:
    """Find the places where rules are broken.

    files: file name and text by module.  rules: kind, its own modules, whether it covers their imports too,
    and the options of the kind.  for_tools: also return each module that is looked at in canonical form.
    Returns the modules that cannot be parsed; what others read in place of the texts; the imports of
    each module within the submission (None if any is possible); and the report of each rule.  Modules that
    no rule covers are not examined.
    """
    texts = _Texts(files)
    reports = [_check_rule(*rule, texts) for rule in rules]
    imports = {name: sorted(found) if found is not None else None for name, found in texts.imports.items()}
    return texts.problems, texts.readings(for_tools=for_tools), imports, reports


def _check_rule(
    kind: str, names: list[str], spreads: bool, options: dict[str, Any], texts: "_Texts"
) -> Report:
    present = [name for name in names if name in texts.files]
    covered = list(closure(present, texts.imports_of, texts.files) if spreads else present)
    looked_at = _parsed(covered, texts)
    if kind not in _CHECKS or not looked_at:
        return [], [], [], covered
    if kind in _FOLLOW_CALLS:
        imported = closure(present, texts.imports_of, texts.files)
        options = options | {"around": _parsed([name for name in imported if name not in covered], texts)}
    try:
        found = _CHECKS[kind](looked_at, **options)
    except (RecursionError, MemoryError):
        return [], [], [module.name for module in looked_at], covered
    if kind not in _OF_TEXT:
        found = [*found, *_ambiguous(looked_at, texts)]
    broken, undecided = ([each for each in found if each.decided is decided] for decided in (True, False))
    return _told(broken), _told(undecided), [], covered


def _ambiguous(modules: list[Module], texts: "_Texts") -> Iterator[RuleHit]:
    """Yield the imports that may find a file of the submission or a module of Python's.

    Python's own comes first where it is loaded by then, which the source does not tell.
    """
    for module in modules:
        for name in sorted((texts.imports_of(module.name) or frozenset()) & OF_PYTHON):
            text = f"imports `{name}`, as both {texts.files[name][0]} and a module of Python's are called"
            yield RuleHit(module.name, 0, text, decided=False)


def _parsed(names: list[str], texts: "_Texts") -> list[Module]:
    return [module for name in names if (module := texts.module(name)) is not None]


def _told(found: list[RuleHit]) -> Places:
    return [(each.module, each.line, each.message) for each in sorted(set(found))[:MAX_FOUND]]


class _Texts:
    """The files of a submission, each parsed when it is first needed.

    files: file name and text by module.  problems: the modules that cannot be examined.
    decoded: the texts of modules that are handed in as bytes.
    """

    def __init__(self, files: dict[str, tuple[str, str]]) -> None:
        self.files = files
        self.problems: dict[str, Problem] = {}
        self.decoded: dict[str, str] = {}
        self.imports: dict[str, Imports] = {}
        self._modules: dict[str, Module | None] = {}

    def module(self, name: str) -> Module | None:
        """Return a module; None, and a note in `problems`, if it cannot be examined."""
        if name not in self._modules:
            self._modules[name] = self._parsed(name)
        return self._modules[name]

    def readings(self, *, for_tools: bool) -> dict[str, Reading]:
        """Return what those read who read the modules after the rules."""
        found: dict[str, Reading] = {}
        for name, module in self._modules.items():
            text = self.decoded.get(name)
            if module is not None and (for_tools or text is not None):
                found[name] = text, canonical(module.tree) if for_tools else None
        return found

    def imports_of(self, name: str) -> Imports:
        """Return the imports of a module within the submission; none if it is not Python and cannot run."""
        if name not in self.imports:
            self.imports[name] = self._imports_of(name)
        return self.imports[name]

    def _imports_of(self, name: str) -> Imports:
        module = self.module(name)
        if module is None:
            return frozenset() if self.problems[name][0] == INVALID else None
        try:
            return imports_of(module)
        except (RecursionError, MemoryError):
            return None

    def _parsed(self, name: str) -> Module | None:
        file, text = self.files[name]
        forbid_deep_walks()
        try:
            text = decoded(text, file)
            tree, bad = parse_module(text, file)
        except NotPython as error:
            self.problems[name] = (INVALID, error.line, str(error))
            return None
        except TooComplex:
            self.problems[name] = (COMPLEX, 0, "")
            return None
        finally:
            allow_deep_walks()
        if text != self.files[name][1]:
            self.decoded[name] = text
        self.problems |= {f"{name} {cell}": (BAD_CELL, cell, "") for cell in bad}
        try:
            return Module(name, file, text, tree, build(tree), frozenset(self.files))
        except (RecursionError, MemoryError):
            self.problems[name] = (COMPLEX, 0, "")
            return None
