"""A harness: a module of the instructor's that runs beside the student's code."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.kinds import calls_of
from grader.model.own_code import Harness
from grader.spec.decode.drafts import CaseDraft, QuestionDraft
from grader.spec.expressions.context import Context
from grader.spec.expressions.names import is_python_name
from grader.spec.reference.definitions import Definitions, read_definitions
from grader.spec.reference.files import lies_inside, read_attached, text_of
from grader.spec.reference.test_files import imported_names
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, if_usable


@dataclass(frozen=True, slots=True)
class ReadHarness:
    """A harness, and the names that it defines. Of one that was reported, neither is known."""

    harness: Harness | None
    definitions: Definitions


_REPORTED = ReadHarness(None, Definitions(complete=False))
"""Names that only a reported harness could define are not reported too."""


def decode_harness(fields: Fields, context: Context) -> ReadHarness | None:
    """Return the harness that a question or a case names; None for none."""
    if not fields.has("harness"):
        return None
    return if_usable(_harness, fields, context) or _REPORTED


def _harness(fields: Fields, context: Context) -> ReadHarness:
    harness, definitions = read_own_code(
        fields, "harness", context, "the harness", "a student's code can read a harness"
    )
    return ReadHarness(harness, definitions)


def read_own_code(
    fields: Fields, key: str, context: Context, what: str, secret: str
) -> tuple[Harness, Definitions]:
    """Return the file of a key that runs beside a student's code, and what it defines.  Raises Unusable.

    what: names the file in messages.  secret: the hint where it is a file of the reference or the checkers.
    """
    name: str = fields.needed(key)
    if not lies_inside(fields, key, context.attached):
        raise Unusable
    path = Path(os.path.normpath(context.attached.path / name))
    if refused := _refusal(path, context, what, secret):
        fields.report(key, *refused)
        raise Unusable
    content = read_attached(fields, key, context.attached)
    definitions = read_definitions(name, content, context.reporter)
    try:
        text = text_of(content)
        imports = [each for each in imported_names(text, path.name) if each in dict(context.modules)]
        return Harness(path.stem, text, tuple(imports)), definitions
    except (SyntaxError, UnicodeDecodeError) as error:
        fields.report(key, f"{shown(path.name)} can't be read as Python: {error}")
        raise Unusable from None


def _refusal(path: Path, context: Context, what: str, secret: str) -> tuple[str, str] | None:
    """Return why a file cannot run beside a student's code, and a hint; None if it can."""
    file = shown(path.name)
    if path.suffix != ".py" or not is_python_name(path.stem):
        return f"`{file}` is not the file of a Python module", "such as shop_harness.py"
    if path.stem in dict(context.modules):
        return f"{what} has the name of the task's module `{shown(path.stem)}`", "rename it"
    if path.stem in sys.stdlib_module_names:
        return f"{what} has the name of Python's own module `{shown(path.stem)}`", "rename it"
    real, reference, checkers = os.path.realpath(path), context.reference_files, context.checkers_path
    if reference is not None and real.startswith(os.path.realpath(reference.path) + os.sep):
        return f"`{file}` is a file of the reference", secret
    if checkers is not None and real == os.path.realpath(checkers):
        return f"`{file}` is the checkers file", secret
    return None


def known_with(own: Definitions | None, module: Definitions | None) -> Definitions | None:
    """Return the definitions of the reference's module with those of code beside it, which come first."""
    if own is None or module is None:
        return module
    functions = {name: each for name, each in module.functions.items() if name not in own.names}
    classes = {name: each for name, each in module.classes.items() if name not in own.names}
    return Definitions(
        names=own.names | module.names,
        functions={**functions, **own.functions},
        classes={**classes, **own.classes},
        complete=own.complete and module.complete,
        makers=own.makers | (module.makers - own.names),
        members=own.members | module.members,
    )


def check_use_of_harness(fields: Fields, drafts: Sequence[CaseDraft | None]) -> None:
    """Report a question's harness that none of its cases can use."""
    if not fields.has("harness"):
        return
    cases = [draft.case for draft in drafts if draft is not None]
    if len(cases) == len(drafts) and all(case is not None and not calls_of(case).calls for case in cases):
        message = "`harness` has no effect: this question has no case with calls or a scenario"
        fields.report_key("harness", message)


def check_names_of_harnesses(
    fields: Fields, questions: Sequence[QuestionDraft], packages: Sequence[str]
) -> None:
    """Report a package of the task that a harness would hide from the student's code."""
    cases = (draft.case for question in questions for draft in question.cases)
    harnesses = (calls_of(case).harness for case in cases if case is not None)
    names = {harness.module for harness in harnesses if harness is not None}
    for name in sorted(names.intersection(package.partition(".")[0] for package in packages)):
        fields.report("packages", f"a harness has the name of the package `{shown(name)}`", "rename it")
