"""What many submissions share between two runs is told once, with how many and who."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from support.results_sample import results

from grader.model.results import CaseResult, QuestionResult, SubmissionResult
from grader.model.verdict import Verdict, summary
from grader.reports.diff.lines import change_lines
from grader.reports.terminal.lines import cells, to_text

OK, WRONG, RAISED = Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.EXCEPTION


def submission(own_id: str, *verdicts: Verdict) -> SubmissionResult:
    """Return a work with one mark for each accepted case."""
    cases = tuple(
        CaseResult(id=f"1.{at}", call=f"f({at})", verdict=each) for at, each in enumerate(verdicts, 1)
    )
    for_cases = [replace(each, score=Fraction(each.verdict is OK)) for each in cases]
    mark, most = sum((each.score for each in for_cases), Fraction(0)), Fraction(len(cases))
    verdict = summary([each.verdict for each in cases])
    question = QuestionResult(
        id="1", title="", mark=mark, max_mark=most, verdict=verdict, award="each", cases=tuple(for_cases)
    )
    sample = next(iter(results().submissions))
    return replace(
        sample, id=own_id, name=own_id, questions=(question,), mark=mark, max_mark=most, problems=()
    )


def told(
    before: Sequence[SubmissionResult],
    after: Sequence[SubmissionResult],
    *,
    width: int = 80,
    each: bool = False,
) -> list[str]:
    run = replace(results().run, code="9b3e02c4d5e6")
    both = [replace(results(), run=run, submissions=list(side)) for side in (before, after)]
    lines = to_text(change_lines(both[0], both[1], width, each=each)).splitlines()
    assert max(map(cells, lines[1:])) <= width
    return lines[1:]


def test_a_class_that_shares_a_change_is_told_of_once() -> None:
    ids = [f"student-{at:03}" for at in range(1, 21)]
    before = [submission(each, WRONG, OK, OK) for each in ids]
    after = [submission(each, OK, OK, WRONG if each == "student-007" else OK) for each in ids]
    assert told(before, after) == [
        "",
        "What several share",
        "  1.1: wrong answer -> accepted",
        "      20 students: student-001, student-002, student-003, student-004,",
        "      student-005, student-006, student-007, student-008, student-009,",
        "      student-010, student-011, student-012 and 8 more",
        "",
        "Marks of those without anything else",
        "  2 -> 3",
        "      19 students: student-001, student-002, student-003, student-004,",
        "      student-005, student-006, student-008, student-009, student-010,",
        "      student-011, student-012, student-013 and 7 more",
        "",
        "student-007  2 -> 2",
        "  1.3: accepted -> wrong answer",
        "  as above: 1.1",
        "",
        "19 marks up, by 1.",
        "19 marks differ; 1 submission with other verdicts alone.",
    ]


def test_two_students_are_told_as_they_were() -> None:
    before = [submission("ada", WRONG, OK), submission("bo", WRONG, OK)]
    after = [submission("ada", OK, OK), submission("bo", OK, WRONG)]
    assert told(before, after) == [
        "",
        "ada  1 -> 2",
        "  1.1: wrong answer -> accepted",
        "",
        "bo  1 -> 1",
        "  1.1: wrong answer -> accepted",
        "  1.2: accepted -> wrong answer",
        "",
        "1 mark differs; 1 submission with other verdicts alone.",
    ]


def test_marks_that_few_share_stand_with_their_students() -> None:
    ids = ["ada", "bo", "cy"]
    before = [submission("ada", WRONG, OK), submission("bo", WRONG, RAISED), submission("cy", WRONG, OK)]
    after = [submission("ada", OK, OK), submission("bo", OK, RAISED), submission("cy", OK, OK)]
    lines = told(before, after)
    assert lines[:4] == [
        "",
        "What several share",
        "  1.1: wrong answer -> accepted",
        "      3 students: ada, bo, cy",
    ]
    singles = [line for line in lines if line.partition(" ")[0] in ids]
    assert singles == ["ada  1 -> 2", "bo  0 -> 1", "cy  1 -> 2"]
    assert lines.count("  as above: 1.1") == 3


def test_reasons_of_the_same_students_stand_together() -> None:
    ids = ["ada", "bo", "cy", "di"]
    before = [submission(each, WRONG, WRONG, WRONG) for each in ids]
    after = [submission(each, OK, OK if each != "di" else WRONG, OK) for each in ids]
    assert told(before, after)[:8] == [
        "",
        "What several share",
        "  1.1: wrong answer -> accepted",
        "  1.3: wrong answer -> accepted",
        "      4 students: ada, bo, cy, di",
        "  1.2: wrong answer -> accepted",
        "      3 students: ada, bo, cy",
        "",
    ]


def test_who_came_and_who_left_are_groups_too() -> None:
    ids = [f"s{at}" for at in range(4)]
    everybody = [submission(each, OK) for each in ids]
    assert told([], everybody)[1:4] == [
        "Marks of those without anything else",
        "  absent -> 1",
        "      4 students: s0, s1, s2, s3",
    ]


def test_marks_up_and_down_are_summed() -> None:
    before = [submission(f"s{at}", WRONG, OK, OK, OK) for at in range(6)]
    after = [submission(f"s{at}", OK, *[OK if at < 4 else WRONG] * 3) for at in range(6)]
    assert told(before, after)[-2:] == ["4 marks up, by 1; 2 marks down, by 2.", "6 marks differ."]


def test_each_student_alone_when_asked_for() -> None:
    before = [submission(f"s{at}", *[WRONG] * 9) for at in range(4)]
    after = [submission(f"s{at}", *[OK] * 9) for at in range(4)]
    lines = told(before, after, each=True)
    assert "What several share" not in lines
    assert lines.count("  1.9: wrong answer -> accepted") == 4


def test_hostile_names_move_nothing_in_a_terminal() -> None:
    ids = ["\x1b[2J" + "x" * 90, "\u202eevil", "名" * 40, "a\nb", "::error::x"]
    before, after = ([submission(each, verdict) for each in sorted(ids)] for verdict in (WRONG, OK))
    for width in (40, 80):
        text = "\n".join(told(before, after, width=width))
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "5 students:" in text
