"""Code of the instructor's before and after a student's module, and the names that it gives and takes."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.model.kinds import calls_of, kind_of
from grader.model.own_code import Around, OwnFile
from grader.spec.decode.cases.harness import known_with, read_own_code
from grader.spec.decode.drafts import CaseDraft
from grader.spec.expressions.context import Context
from grader.spec.reference.definitions import Definitions
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import if_usable

_SIDES = (("before", "gives"), ("after", "takes"))


@dataclass(frozen=True, slots=True)
class ReadAround:
    """The code around a module, and the names that cases can use of it."""

    around: Around | None
    definitions: Definitions


def decode_around(fields: Fields, context: Context) -> ReadAround | None:
    """Return the code around a question's module; None for none."""
    for side, names in _SIDES:
        if fields.has(names) and not fields.has(side):
            fields.report_key(names, f"`{names}` goes with `{side}`, which names a file")
    files: dict[str, OwnFile] = {}
    known = Definitions()
    for side, names in _SIDES:
        if not fields.has(side):
            continue
        read = if_usable(_own_file, fields, side, names, context)
        if read is None:
            return ReadAround(None, Definitions(complete=False))
        files[side], own = read
        known = known_with(own, known) or own
    return ReadAround(Around(files.get("before"), files.get("after")), known) if files else None


def _own_file(fields: Fields, side: str, names: str, context: Context) -> tuple[OwnFile, Definitions]:
    """Return the file of a side, and what it defines.  Raises Unusable."""
    secret = f"a student's code can read what runs {side} it"
    code, definitions = read_own_code(fields, side, context, f"the file of `{side}`", secret)
    listed = tuple(dict.fromkeys(scalar.text for scalar in fields[names] or ()))
    own = OwnFile(code.module, code.text, listed, code.imports)
    if names == "gives" and definitions.complete:
        for each in listed:
            if each not in definitions.names:
                hint = fields.reporter.nearest_or_all(each, sorted(definitions.names))
                fields.report(names, f"{shown(own.file)} defines no `{shown(each)}`", hint)
    return own, definitions


def check_use_of_around(fields: Fields, drafts: Sequence[CaseDraft | None]) -> None:
    """Report code around a module beside a case that cannot use it."""
    sides = fields.present("before", "after")
    for draft in drafts if sides else ():
        case = draft.case if draft is not None else None
        if draft is not None and case is not None and kind_of(case).runs and not calls_of(case).calls:
            message = f"`{sides[0]}` of this question is for calls and scenarios, and this case makes none"
            fields.reporter.report(draft.span, message, "write it in a question of its own")
