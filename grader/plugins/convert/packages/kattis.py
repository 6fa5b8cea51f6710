"""Reads a problem package of Kattis and the ICPC, legacy and 2025-09 (icpc.io/problem-package-format)."""

import re
import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.authoring.written import Raw
from grader.kinds.program.keys import MOST_PASSES
from grader.marking.rounding import format_mark
from grader.model.errors import Fault, UsageError
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible
from grader.plugins.convert.packages.foreign import mapping_in, number_of, words_of
from grader.plugins.convert.packages.generated.rules import are_rules, lay_out
from grader.plugins.convert.packages.generated.running import OwnPrograms
from grader.plugins.convert.packages.groups import Group, read_groups, scored_parts, with_scores
from grader.plugins.convert.packages.laid import Files
from grader.plugins.convert.packages.questions import add_questions
from grader.plugins.convert.packages.submissions import Programs, stated_scores
from grader.plugins.convert.packages.tests import Part, largest_input
from grader.plugins.convert.packages.validators import gives_scores, validator_in
from grader.worker.box.native import INPUT_MOST_B

_FILE = "problem.yaml"
_OUTPUT_MIB = 8
"""The limit of output where a package states none (format 2025-09, `limits`)."""
_OTHER_TYPES = {
    "submit-answer": "what is handed in is an answer, no program",
}


def read_package(package: Path, module: str, folder: str, runs: OwnPrograms | None = None) -> Draft:
    """Return what a package comes to.

    folder: the name of the one beside the spec in which its files will lie.
    runs: runs the programs that make its data; None: nothing is run.  Raises `UsageError`.
    """
    about = mapping_in(package / _FILE)
    if not about:
        hint = "name the folder of one problem, with its problem.yaml"
        raise UsageError(Fault("this is no problem package: it has no problem.yaml", str(package), hint=hint))
    draft = Draft(module=module, noun="test group", title=_name(about), counted="tests")
    files = Files(folder)
    types = _types(about)
    for kind, reason in _OTHER_TYPES.items():
        if kind in types:
            raise UsageError(Fault(f"this package has no counterpart: {reason}", str(package / _FILE)))
    own = _own_validator(package, about)
    try:
        validator = validator_in(own, package, files) if own is not None else None
        if "interactive" in types:
            if validator is None:
                raise Unconvertible("it is interactive, and there is nothing to talk with")
            validator = replace(validator, talks=True)
        if "multi-pass" in types:
            if validator is None:
                raise Unconvertible("its programs run several times, and no validator gives an input")
            validator = replace(validator, passes=_passes(about))
    except Unconvertible as error:
        hint = "write a checker that does what it does, see docs/cases/programs.md"
        raise UsageError(
            Fault(f"this package has no counterpart: {error}", str(own or package), hint=hint)
        ) from None
    flags = words_of(about.get("validator_flags"))
    asks_answers = not {"interactive", "multi-pass"} & types
    if are_rules(package):
        with tempfile.TemporaryDirectory(prefix="grader-convert-") as made:
            lay_out(package, Path(made), runs, draft, asks_answers=asks_answers)
            sample, secret = read_groups(Path(made), flags, validator, files, draft, lasts=False)
    else:
        sample, secret = read_groups(package, flags, validator, files, draft)
    if not draft.assertions:
        hint = "tests are files such as data/secret/1.in and 1.ans, or rules of generators/generators.yaml"
        hint = "\n".join([*map(str, draft.remarks[:10]), hint])
        raise UsageError(Fault("this package has no tests", str(package / "data"), hint=hint))
    programs = Programs(files, module, is_scored="scoring" in types)
    try:
        parts = _parts(sample, secret, package, scoring="scoring" in types, draft=draft)
        if own is not None and "scoring" in types and gives_scores(files):
            for part in parts:
                if part.stops and len(part.tests) > 1:
                    reason = (
                        f"{part.name}: its tests go on after one that is refused, since one can earn a part"
                    )
                    draft.remark("data", 1, Meaning.KINDER, reason)
            parts = [with_scores(part, secret) for part in parts]
    except Unconvertible as error:
        raise UsageError(Fault(f"this package has no counterpart: {error}", str(package / "data"))) from None
    native = largest_input(parts, files.contents) <= INPUT_MOST_B
    programs.read(package, native=native)
    for reason in programs.remarks():
        draft.remark("submissions", 1, Meaning.LEFT_OUT, reason)
    add_questions(draft, parts, module)
    draft.settings |= _limits(package, about, draft)
    if programs.languages:
        draft.settings["toolchains"] = Raw(f"[{', '.join(sorted(programs.languages))}]")
    draft.reference = programs.reference
    draft.files = files.contents
    return draft


def _passes(about: dict[str, Any]) -> int:
    """Return how often a program runs at most (2 where the package does not say).  Raises `Unconvertible`."""
    limits = about.get("limits")
    stated = limits.get("validation_passes", 2) if isinstance(limits, dict) else 2
    if type(stated) is not int or not 2 <= stated <= MOST_PASSES:
        raise Unconvertible(f"its programs run up to {stated} times, and here 2 to {MOST_PASSES}")
    return stated


def _name(about: dict[str, Any]) -> str:
    name = about.get("name")
    if isinstance(name, dict):
        name = name.get("en") or next(iter(name.values()), None)
    return str(name) if isinstance(name, str | int | float) else ""


def _types(about: dict[str, Any]) -> set[str]:
    """Return the words of its type, of the legacy key `validation` too."""
    words = {*words_of(about.get("type", "pass-fail")), *words_of(about.get("validation", ""))}
    return words | ({"scoring"} if "score" in words else set())


def _own_validator(package: Path, about: dict[str, Any]) -> Path | None:
    """Return the folder of an output validator of the package's own."""
    if words_of(about.get("validation", ""))[:1] == ["default"]:
        return None
    for name in ("output_validator", "output_validators"):
        folder = package / name
        if folder.is_dir() and any(not path.name.startswith(".") for path in folder.iterdir()):
            return folder
    return None


def _parts(sample: Group, secret: Group, package: Path, *, scoring: bool, draft: Draft) -> list[Part]:
    """Return what earns marks.  Raises `Unconvertible`."""
    if not scoring:
        tests = (*sample.all_tests(), *secret.all_tests())
        return [Part("all", Fraction(1), tests)] if tests else []
    for test in sample.all_tests():
        draft.remark(test.place, 1, Meaning.LEFT_OUT, "an example is worth nothing in a scoring problem")
        draft.converted -= 1
    by_test = scored_parts(secret, by_group=False)
    by_group = _or_none(secret)
    if by_group is not None and _total(by_group) != _total(by_test):
        if stated_scores(package) == {format_mark(_total(by_group))}:
            reason = "`accept_score` counts once for a group, as DOMjudge has it and its right programs say"
            draft.remark("data", 1, Meaning.STRICTER, reason)
            return by_group
        draft.remark(
            "data", 1, Meaning.KINDER, "`accept_score` counts for each test of a group, as Kattis has it"
        )
    return by_test


def _or_none(secret: Group) -> list[Part] | None:
    try:
        return scored_parts(secret, by_group=True)
    except Unconvertible:
        return None


def _total(parts: list[Part]) -> Fraction:
    return sum((part.marks for part in parts), Fraction(0))


def _limits(package: Path, about: dict[str, Any], draft: Draft) -> dict[str, Raw]:
    """Return the key `limits`; empty where the package states none."""
    stated = about.get("limits")
    limits = stated if isinstance(stated, dict) else {}
    seconds = number_of(limits.get("time_limit")) or _from_ini(package) or _from_file(package)
    memory, output = number_of(limits.get("memory")), number_of(limits.get("output")) or _OUTPUT_MIB
    if not seconds:
        reason = "no time limit is stated; 2 s stand where a judge would measure the right programs"
        draft.remark(_FILE, 1, Meaning.STRICTER, reason)
    if not memory:
        draft.remark(_FILE, 1, Meaning.STRICTER, "no memory limit is stated; 512 MiB stand")
    found = [f"time: {seconds:g}s"] if seconds else []
    found += [f"memory: {max(16, round(memory))}MiB"] if memory else []
    return {"limits": Raw(f"{{{', '.join([*found, f'output: {max(1, round(output))}MiB'])}}}")}


def _from_ini(package: Path) -> float | None:
    """Return the time limit that DOMjudge's own file states."""
    path = package / "domjudge-problem.ini"
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    found = re.search(r"^\s*timelimit\s*=\s*['\"]?([0-9.]+)", text, re.MULTILINE)
    return number_of(found[1]) if found else None


def _from_file(package: Path) -> float | None:
    path = package / ".timelimit"
    return number_of(path.read_text(encoding="utf-8", errors="replace").strip()) if path.is_file() else None
