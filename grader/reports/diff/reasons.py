"""What made the difference between two results of one submission, in words.

Where the mark differs, what moved it is named, by how far it did, and nothing else: a verdict that
changed without moving the mark explains nothing.  Where it is the same, all that differs is named.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from grader.marking.rounding import parse_mark
from grader.model.results import Status
from grader.model.verdict import Verdict
from grader.reports.diff.case_value import Pair, Worth, is_accepted, pairs
from grader.reports.views.wording import short_number, verdict_wording
from grader.store.document_types import CaseDocument, QuestionDocument, SubmissionDocument

ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Cause:
    """Something of a submission that differs; the texts are for people.

    name: a case's id, or what else it is about.
    is_verdict: a case's verdict differs, and the mark does not.
    """

    name: str
    before: str
    after: str
    is_verdict: bool = field(default=False, compare=False, kw_only=True)


Both = tuple[SubmissionDocument, SubmissionDocument]
_Questions = tuple[QuestionDocument | None, QuestionDocument | None]


def causes(old: SubmissionDocument, new: SubmissionDocument) -> Iterator[Cause]:
    """Yield what differs, what moved the mark most first."""
    both = old, new
    if old["status"] != new["status"]:
        yield Cause("status", old["status"], new["status"])
    if mark_told(old) == mark_told(new):
        yield from _differences(both)
    else:
        yield from _of_mark(both)


def mark_told(submission: SubmissionDocument) -> str:
    """Return a submission's mark; "pending" where it has none yet."""
    return submission["mark"] if submission["status"] != Status.PENDING else "pending"


def _differences(both: Both) -> Iterator[Cause]:
    for name, questions in _side_by_side(both):
        verdicts = [
            Cause(_name(pair), *texts, is_verdict=True)
            for pair in pairs(*questions)
            if len(set(texts := _verdicts(pair))) > 1
        ]
        yield from verdicts
        worths = [_question_worth(question) for question in questions]
        if not verdicts and worths[0] != worths[1]:
            yield Cause(f"question {name}", *worths)
    if both[0]["penalties"] != both[1]["penalties"]:
        yield Cause("penalties", *_told(both, "penalties", _amount, _penalty))
    if both[0]["overrides"] != both[1]["overrides"]:
        yield Cause("overrides", *_told(both, "overrides", _after, _override))


# -- what moved a mark -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mover:
    """marks: how many it moved.  is_own: it changed itself, not others that are weighed against it."""

    cause: Cause
    marks: Fraction
    is_own: bool = True


def _of_mark(both: Both) -> Iterator[Cause]:
    if any(override["question"] == "" for side in both for override in side["overrides"]):
        # A person's mark for the whole stands in the place of all else.
        yield Cause("overrides", *_told(both, "overrides", _after, _override))
        return
    if _is_rounded_otherwise(both):
        yield Cause(
            "rounding", *(f"{short_number(_exact(side))} to {short_number(side['mark'])}" for side in both)
        )
    given = _given(both)
    overridden = given[0].keys() | given[1].keys()
    given_anew = {name for name in overridden if given[0].get(name) != given[1].get(name)}
    movers = [*_penalties_and_overrides(both)]
    for name, questions in _side_by_side(both):
        cases = [] if name in overridden else list(_cases(questions))
        movers += cases
        if name not in given_anew:
            movers += _question(name, questions, bool(cases))
    movers.sort(key=lambda mover: (not mover.is_own, -mover.marks))
    yield from (mover.cause for mover in movers)


def _exact(side: SubmissionDocument) -> Fraction:
    """Return the mark before it is rounded."""
    earned = sum((parse_mark(question["mark"]) for question in side["questions"]), Fraction(0))
    return earned - sum((parse_mark(penalty["amount"]) for penalty in side["penalties"]), Fraction(0))


def _is_rounded_otherwise(both: Both) -> bool:
    """Tell whether only another rounding explains the marks: one rounding never swaps two marks' order."""
    if any(side["status"] != Status.MARKED for side in both):
        return False
    old, new = both
    moved = parse_mark(new["mark"]) - parse_mark(old["mark"])
    return moved * (_exact(new) - _exact(old)) <= 0


def _penalties_and_overrides(both: Both) -> Iterator[_Mover]:
    amounts = [[parse_mark(penalty["amount"]) for penalty in side["penalties"]] for side in both]
    if amounts[0] != amounts[1]:
        cause = Cause("penalties", *_told(both, "penalties", _amount, _penalty))
        yield _Mover(cause, abs(sum(amounts[1], Fraction(0)) - sum(amounts[0], Fraction(0))))
    given = _given(both)
    # One that says what the question had anyway moves nothing.
    moved = [
        _mark_of(new) - _mark_of(old)
        for name, (old, new) in _side_by_side(both)
        if given[0].get(name) != given[1].get(name)
    ]
    if any(moved):
        cause = Cause("overrides", *_told(both, "overrides", _after, _override))
        yield _Mover(cause, sum(map(abs, moved), Fraction(0)))


def _mark_of(question: QuestionDocument | None) -> Fraction:
    return parse_mark(question["mark"]) if question else Fraction(0)


def _given(both: Both) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Return the marks that people gave to questions, by question."""
    old, new = ({each["question"]: parse_mark(each["after"]) for each in side["overrides"]} for side in both)
    return old, new


def _question(name: str, questions: _Questions, has_cases: bool) -> Iterator[_Mover]:
    """Yield the question as a whole, where its cases do not tell all of it."""
    texts = [_question_worth(question) for question in questions]
    if texts[0] == texts[1]:
        return
    old, new = questions
    if not has_cases or old is None or new is None or old["max_mark"] != new["max_mark"]:
        yield _Mover(Cause(f"question {name}", *texts), abs(_mark_of(new) - _mark_of(old)))


def _cases(questions: _Questions) -> Iterator[_Mover]:
    old, new = questions
    if old is None or new is None or old["award"] != new["award"]:
        return
    worths = Worth(old), Worth(new)
    found = list(pairs(old, new))
    shares = [_shares(worths, pair) for pair in found]
    has_moved = any(before != after for before, after in shares)
    for pair, (before, after) in zip(found, shares, strict=True):
        worth = before * worths[0].max_mark, after * worths[1].max_mark
        is_ours = len({case is not None and case["verdict"] == Verdict.INTERNAL_ERROR for case in pair}) > 1
        is_weighed = old["award"] != "all" and _weight(pair[0]) != _weight(pair[1])
        if before != after and worth[0] != worth[1]:
            if old["award"] in ("all", "groups") and not _did_it(pair, before, after, is_weighed):
                continue
            is_own = is_weighed or is_ours or _state(pair[0]) != _state(pair[1])
        elif is_ours or (has_moved and is_weighed):
            is_own = True  # it moved others
        else:
            continue
        yield _Mover(_cause(pair, worth, is_weighed), abs(worth[1] - worth[0]), is_own)


def _shares(worths: tuple[Worth, Worth], pair: Pair) -> tuple[Fraction, Fraction]:
    old, new = pair
    if old is None:
        assert new is not None
        return worths[0].share_without(new), worths[1].share(new)
    return worths[0].share(old), worths[1].share(new) if new else worths[1].share_without(old)


def _did_it(pair: Pair, before: Fraction, after: Fraction, is_weighed: bool) -> bool:
    """Tell whether a case, and not another that is earned only together with it, changed their worth."""
    old, new = pair
    if before and after:  # earned before and after: what is left is another weight
        return True
    if old is None or new is None or old["group"] != new["group"]:
        # It stood in the way, or brought what it is worth, or took it away.
        return any(case is not None and not is_accepted(case) for case in pair) or is_weighed
    return is_accepted(old) != is_accepted(new)


def _cause(pair: Pair, worth: tuple[Fraction, Fraction], is_weighed: bool) -> Cause:
    before, after = _verdicts(pair)
    if None not in pair and (is_weighed or before == after):
        before, after = (
            text
            + (f", weight {short_number(case['weight'])}" if case and is_weighed else "")
            + f", worth {short_number(marks)}"
            for text, case, marks in zip((before, after), pair, worth, strict=True)
        )
    return Cause(_name(pair), before, after)


# -- words -------------------------------------------------------------------------------------------


def _name(pair: Pair) -> str:
    old, new = pair
    if old is None or new is None:
        case = old or new
        assert case is not None
        return case["id"]
    return new["id"] if old["id"] == new["id"] else f"{new['id']} (was {old['id']})"


def _verdicts(pair: Pair) -> tuple[str, str]:
    return _verdict(pair[0]), _verdict(pair[1])


def _verdict(case: CaseDocument | None) -> str:
    if case is None:
        return ABSENT
    word = verdict_wording(case["verdict"]).word
    return f"{word} ({short_number(case['score'])})" if case["verdict"] == Verdict.PARTIAL else word


def _state(case: CaseDocument | None) -> tuple[str, str] | None:
    return (case["verdict"], case["score"]) if case else None


def _weight(case: CaseDocument | None) -> Fraction:
    return parse_mark(case["weight"]) if case else Fraction(0)


def _question_worth(question: QuestionDocument | None) -> str:
    if question is None:
        return ABSENT
    return f"{short_number(question['mark'])} of {short_number(question['max_mark'])}"


def _side_by_side(both: Both) -> Iterator[tuple[str, _Questions]]:
    old, new = ({question["id"]: question for question in side["questions"]} for side in both)
    for name in dict.fromkeys((*old, *new)):
        yield name, (old.get(name), new.get(name))


def _told(both: Any, what: str, short: Callable[[Any], str], long: Callable[[Any], str]) -> list[str]:
    """Return the penalties or overrides of both sides, in more words where few do not tell them apart."""
    texts = [_listed(map(short, side[what])) for side in both]
    return texts if texts[0] != texts[1] else [_listed(map(long, side[what])) for side in both]


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts) or "none"


def _amount(penalty: Any) -> str:
    return short_number(penalty["amount"])


def _penalty(penalty: Any) -> str:
    return f"{penalty['amount']} ({penalty['reason']})"


def _after(override: Any) -> str:
    return short_number(override["after"])


def _override(override: Any) -> str:
    about = f"question {override['question']}" if override["question"] else "the whole"
    return f"{override['after']} for {about} ({override['reason']}; {override['by']} {override['date']})"
