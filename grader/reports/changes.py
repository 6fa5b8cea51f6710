"""Whose mark differs between two runs, and which cases did it.

Both documents are read side by side, one submission at a time: their submissions stand in
the order of their ids.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from grader.model.frozen import dataclass
from grader.reports.escape import plain
from grader.reports.terminal_lines import Line, Span, cells, fit, line
from grader.reports.wording import Tone, counted, short_number, verdict_wording
from grader.store.document_types import QuestionDocument, ResultsDocument, SubmissionDocument

_MOST_CASES = 5
_ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Cause:
    """Something of a submission that differs; the texts are for people.

    name: a case's id, or what else it is about.
    """

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """A submission that differs.

    before, after: its mark; "pending" or "absent" where there is none.
    causes: what made the difference, cases first.
    """

    id: str
    before: str
    after: str
    causes: tuple[Cause, ...]


def changes(before: Iterable[SubmissionDocument], after: Iterable[SubmissionDocument]) -> Iterator[Change]:
    """Yield every submission whose mark, status or verdicts differ, in the order of their ids."""
    for old, new in _side_by_side(before, after):
        one = old or new
        assert one is not None
        change = Change(one["id"], _mark(old), _mark(new), tuple(_causes(old, new)))
        if change.before != change.after or change.causes:
            yield change


def _side_by_side(
    before: Iterable[SubmissionDocument], after: Iterable[SubmissionDocument]
) -> Iterator[tuple[SubmissionDocument | None, SubmissionDocument | None]]:
    left, right = iter(before), iter(after)
    old, new = next(left, None), next(right, None)
    while old is not None or new is not None:
        if new is None or (old is not None and old["id"] < new["id"]):
            yield old, None
            old = next(left, None)
        elif old is None or new["id"] < old["id"]:
            yield None, new
            new = next(right, None)
        else:
            yield old, new
            old, new = next(left, None), next(right, None)


def _mark(submission: SubmissionDocument | None) -> str:
    if submission is None:
        return _ABSENT
    return submission["mark"] if submission["status"] != "pending" else "pending"


def _causes(old: SubmissionDocument | None, new: SubmissionDocument | None) -> Iterator[Cause]:
    if old is None or new is None:
        return
    if old["status"] != new["status"]:
        yield Cause("status", old["status"], new["status"])
    questions = _by_id(old["questions"]), _by_id(new["questions"])
    for name in dict.fromkeys((*questions[0], *questions[1])):
        yield from _of_question(name, questions[0].get(name), questions[1].get(name))
    both = (old, new)
    if old["penalties"] != new["penalties"]:
        amounts = [[penalty["amount"] for penalty in side["penalties"]] for side in both]
        yield Cause("penalties", *map(_listed, amounts))
    if old["overrides"] != new["overrides"]:
        marks = [[override["after"] for override in side["overrides"]] for side in both]
        yield Cause("overrides", *map(_listed, marks))


def _of_question(name: str, old: QuestionDocument | None, new: QuestionDocument | None) -> Iterator[Cause]:
    cases = _by_id(old["cases"] if old else ()), _by_id(new["cases"] if new else ())
    found = False
    for case in dict.fromkeys((*cases[0], *cases[1])):
        before, after = (_verdict(side.get(case)) for side in cases)
        if before != after:
            found = True
            yield Cause(case, before, after)
    worth = [f"{short_number(side['mark'])} of {short_number(side['max_mark'])}" if side else _ABSENT
             for side in (old, new)]  # fmt: skip
    if not found and worth[0] != worth[1]:
        yield Cause(f"question {name}", *worth)


def _verdict(case: Any) -> str:
    if case is None:
        return _ABSENT
    word = verdict_wording(case["verdict"]).word
    return f"{word} ({short_number(case['score'])})" if case["verdict"] == "partial" else word


def _by_id(items: Iterable[Any]) -> dict[str, Any]:
    return {item["id"]: item for item in items}


def _listed(amounts: Iterable[str]) -> str:
    return ", ".join(map(short_number, amounts)) or "none"


# -- for the terminal --------------------------------------------------------------------------------


def change_lines(before: ResultsDocument, after: ResultsDocument, width: int = 80) -> Iterator[Line]:
    """Yield what differs between two runs, one submission after another.

    width: columns of the terminal; at least 40 are taken.
    """
    width = max(width, 40)
    task = after["task"]
    yield line(Span(plain(task["title"]), strong=True), f": {_conditions(before, after)}")
    count = differ = 0
    for change in changes(before["submissions"], after["submissions"]):
        count += 1
        differ += change.before != change.after
        yield line()
        yield _headline(change, width)
        yield from (_cause_line(cause, width) for cause in change.causes[:_MOST_CASES])
        if len(change.causes) > _MOST_CASES:
            yield line(f"  and {len(change.causes) - _MOST_CASES} more")
    yield line()
    if not count:
        yield line("No mark and no verdict differs.")
    else:
        others = (
            f"; {counted(count - differ, 'submission')} with other verdicts alone" if count > differ else ""
        )
        yield line(f"{counted(differ, 'mark')} {'differs' if differ == 1 else 'differ'}{others}.")


def _conditions(before: ResultsDocument, after: ResultsDocument) -> str:
    """Say what of the runs themselves differs."""
    runs = before["run"], after["run"]
    differing = [
        words
        for words, same in (
            ("the spec", runs[0]["spec_sha256"] == runs[1]["spec_sha256"]),
            ("Python", runs[0].get("python") == runs[1].get("python")),
            ("the sandbox", runs[0]["sandbox"]["driver"] == runs[1]["sandbox"]["driver"]),
            ("grader", runs[0]["grader"] == runs[1]["grader"]),
        )
        if not same
    ]
    return f"other in {', '.join(differing)}" if differing else "the same spec and conditions"


def _headline(change: Change, width: int) -> Line:
    marks = f"  {_shown(change.before)} -> {_shown(change.after)}"
    name = fit(plain(change.id), max(width - cells(marks), 10)).rstrip()
    return line(Span(name, strong=True), Span(marks, _tone(change)))


def _shown(mark: str) -> str:
    return mark if not mark[:1].isdigit() else short_number(mark)


def _tone(change: Change) -> Tone | None:
    try:
        difference = float(change.after) - float(change.before)
    except ValueError:
        return Tone.OURS
    return Tone.GOOD if difference > 0 else Tone.BAD if difference < 0 else None


def _cause_line(cause: Cause, width: int) -> Line:
    text = f"  {plain(cause.name)}: {plain(cause.before)} -> {plain(cause.after)}"
    return line(fit(text, width).rstrip())
