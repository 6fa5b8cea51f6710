"""Four small submissions that together have every detail that a results file can hold."""

from fractions import Fraction

from grader.model.case import Visibility
from grader.model.drawing import Cell, Fill, Grid, Line, Mark, Picture, Piece, Raster
from grader.model.person import Person
from grader.model.results import (
    AttemptResult,
    Cap,
    CaseResult,
    CriterionResult,
    Difference,
    Frame,
    GivenText,
    GroupResult,
    GrowthPoint,
    GrowthResult,
    MarkOrigin,
    Override,
    Penalty,
    QuestionResult,
    Raised,
    RuleEffect,
    RuleFinding,
    RuleResult,
    SourceText,
    Status,
    StepResult,
    SubmissionResult,
    Timing,
    TurnResult,
)
from grader.model.submission import FileState, Instead, MarkAside, MarkGiven, Remark
from grader.model.verdict import Verdict
from support.results_sample import RUN, TASK

__all__ = ["BOARD", "IMAGE", "RUN", "TASK", "submissions"]

BOARD = Picture(
    "Board",
    "the knight \u2658 stands on b1",
    Grid(
        3,
        2,
        (Cell((0, 0), "K2", Fill.BLOCKED, Piece.RED, Mark.WRONG), Cell((2, 1))),
        (Line(((0, 0), (-1, 2)), Mark.MISSING, True, 7), Line(((1, 1),))),
        True,
        ("a", "b", "c"),
        ("2", "1"),
        (("wrong", "a fault"),),
    ),
)
IMAGE = Picture("Image", "", Raster(2, 2, ((0, 0, 0), (255, 170, 0)), bytes([0, 1, 1, 0])))
_FINDING = RuleFinding("knight.py", 12, "`walk` calls itself", "    return walk(n - 1)")

_CASES = (
    CaseResult(
        id="1.1",
        call="f('\U0001f40e', '\ud83d')",
        verdict=Verdict.WRONG_ANSWER,
        weight=Fraction(2, 3),
        group="g",
        cpu_s=0.12345678,
        wall_s=1.98765432,
        peak_rss_b=12_345_678,
        time_limit_s=2.5,
        near_limit=True,
        message="item 1 differs",
        expected="[1, 2]",
        actual="[1, 3]",
        difference=Difference(
            "item 1", "2", "3", "this sentence is for the terminal of the judge alone", "answer[0]"
        ),
        stdout="".join(f"line {number}\n" for number in range(9000)),
        stderr="\x1b[31mred\n",
        hint="Count from 0.",
        title="A horse \u2192 and half of a pair",
        pictures=(BOARD, IMAGE),
        picture_note="one picture is left out",
        checker_note="checker holds raised KeyError: 'x' (line 3 of checkers.py)",
    ),
    CaseResult(
        id="1.2",
        call="g()",
        verdict=Verdict.EXCEPTION,
        visibility=Visibility.HIDDEN,
        raised=Raised(
            "ValueError",
            "no \udcff",
            (Frame("k.py", 3, "g", "raise ValueError"), Frame("k.py", 9, "h", "f(", 2, 3)),
        ),
    ),
    CaseResult(
        id="1.3",
        call="stack = Stack(); stack.pop()",
        verdict=Verdict.PARTIAL,
        visibility=Visibility.AFTER_DUE,
        score=Fraction(1, 3),
        printed="a\n",
        expected_print="b\n",
        steps=(
            StepResult(text="stack = Stack()", verdict=Verdict.ACCEPTED),
            StepResult(
                text="stack.pop()",
                verdict=Verdict.WRONG_ANSWER,
                message="it differs",
                expected="1",
                actual="2",
                printed="x",
                expected_print="y",
            ),
        ),
    ),
    CaseResult(
        id="1.4",
        call="python guess.py",
        verdict=Verdict.WRONG_ANSWER,
        stopped_at=Frame("k.py", 3, "", "raise ValueError"),
        given=(GivenText("stdin", "1\n"), GivenText("words.txt", "a b")),
        dialogue=(
            TurnResult(number=1, said="Number? ", answered="5"),
            TurnResult(number=4, said="Wrong", wrong=True),
            TurnResult(number=5, said="", ended=True),
            TurnResult(number=6, said="Again? ", stopped=True),
        ),
    ),
    CaseResult(
        id="1.5",
        call="sort(xs)",
        verdict=Verdict.ACCEPTED,
        score=Fraction(1),
        cpu_s=3,
        wall_s=4,
        time_limit_s=10,
        timing=Timing(
            reference_s=0.31051234,
            submission_s=0.9377,
            ratio=3.019971,
            spread=0.01234,
            rounds=5,
            full=Fraction(2),
            none=Fraction(9, 2),
        ),
    ),
    CaseResult(
        id="1.8",
        call="sort(xs) for 2 inputs",
        verdict=Verdict.TIME_LIMIT,
        growth=GrowthResult(
            name="quadratic",
            others=("cubic",),
            power=2.1234,
            too_quick=True,
            import_s=0.25,
            remark=True,
            at_most="n log n",
            points=(GrowthPoint(1000, 0.012345), GrowthPoint(2000, 0.05)),
            rounds=3,
        ),
    ),
    CaseResult(id="1.6", call="no recursion", verdict=Verdict.RULE_BROKEN, findings=(_FINDING,)),
    CaseResult(id="1.7", call="no globals", verdict=Verdict.ACCEPTED, score=Fraction(1), findings=()),
)


def submissions() -> list[SubmissionResult]:
    """Return four submissions: one with every detail, two that wait or are absent, one with all of policy."""
    whole = SubmissionResult(
        id="student-01",
        name="Zo\xeb \U0001f40e",
        mark=Fraction("3.25"),
        max_mark=Fraction(8),
        status=Status.MARKED,
        sha256="0f" * 32,
        content_sha256="1a" * 32,
        problems=("a link was left out",),
        notes=("read as latin-1",),
        person=Person(
            name="Zo\xeb \U0001f40e",
            mail="zoe@example.edu",
            ids={"moodle": "7001", "sis": "004101"},
            group="Team 1",
            by_download=True,
            work="gradescope-1",
        ),
        made=MarkOrigin(
            machine="lab7/0a1b2c3d",
            driver="namespaces",
            python="3.12.1",
            grader="0.1.0",
            worker="tls://10.0.0.7:4001",
            evidence=("lab8/4e5f6a7b",),
        ),
        questions=(
            QuestionResult(
                id="1",
                title="Everything \u2192",
                mark=Fraction(13, 3),
                max_mark=Fraction(8),
                verdict=Verdict.RULE_BROKEN,
                award="each",
                cases=_CASES,
            ),
        ),
        penalties=(Penalty("handed in 1 hour late", Fraction(13, 12)),),
        overrides=(
            Override(
                question="1", before=Fraction(4), after=Fraction(13, 3), reason="copied", by="A. Marker"
            ),
            Override(
                question="",
                before=Fraction(3),
                after=Fraction("3.25"),
                reason="oral",
                by="B",
                date="26 May",
                work="0123456789abcdef",
            ),
        ),
        instead=Instead(
            file="mended.py",
            by="A. Marker",
            reason="a colon was missing",
            work="none",
            given_for="0123456789abcdef",
            state=FileState.GONE,
            attempt="attempt-1",
        ),
        aside=(
            MarkAside(
                of="1", is_override=True, mark=Fraction(1), by="A", date="25 May", work="0123456789abcdef"
            ),
        ),
        submitted="2026-11-20T23:59:00Z",
        deadline="2026-11-20T22:59:00Z",
        late_s=3600,
        rules=(
            RuleResult(
                rule="no recursion",
                effect=RuleEffect.PENALTY,
                findings=(_FINDING,),
                hint="Loop.",
                note="not in k2.py",
            ),
            RuleResult(rule="no `eval`", effect=RuleEffect.TOLD),
        ),
        remarks=(
            Remark(
                comment="Why this?\n</li><b>",
                by="A. Marker",
                date="2026-11-25",
                file="K.py",
                line=3,
                text="raise ValueError",
            ),
            Remark(comment="It moved.", by="A. Marker", file="K.py", line=9, text="import k2"),
            Remark(comment="It is gone.", by="A. Marker", file="K.py", line=2, text="print()"),
            Remark(comment="On the question.", by="A. Marker", question="1"),
            Remark(comment="On all of it.", by="A. Marker"),
        ),
        sources=(
            SourceText("k", "K.py", "import k2\n\nraise ValueError\n"),
            SourceText("k2", "k2.py", "é", 9),
        ),
    )
    waiting = SubmissionResult(
        id="student-02",
        name="",
        mark=Fraction(1),
        max_mark=Fraction(8),
        status=Status.PENDING,
        questions=(
            QuestionResult(
                id="2",
                title="Report",
                mark=Fraction(1),
                max_mark=Fraction(4),
                verdict=Verdict.SKIPPED,
                award="all",
                cases=(),
                criteria=(
                    CriterionResult(
                        id="2.form",
                        title="Form",
                        description="Look closely.",
                        max_mark=Fraction(2),
                        mark=Fraction(1),
                        comment="well done",
                        by="A. Marker",
                        date="2026-11-25",
                        work="none",
                    ),
                    CriterionResult(
                        id="2.text",
                        title="Text",
                        max_mark=Fraction(2),
                        given=(
                            MarkGiven(role="first", mark=Fraction(1), by="A. Marker", date="2026-11-25"),
                            MarkGiven(role="second", mark=Fraction(2), by="Bea"),
                        ),
                    ),
                ),
            ),
        ),
        awaiting=("2.text",),
        deadline="2026-11-20T22:59:00Z",
    )
    absent = SubmissionResult(
        id="student-03",
        name="student-03",
        mark=Fraction(0),
        max_mark=Fraction(8),
        status=Status.NO_SUBMISSION,
        submitted="2026-11-20T22:59:00Z",
    )
    by_policy = SubmissionResult(
        id="student-04",
        name="student-04",
        mark=Fraction(4),
        max_mark=Fraction(8),
        status=Status.MARKED,
        questions=(
            QuestionResult(
                id="1",
                title="Bonus",
                mark=Fraction(13, 3),
                max_mark=Fraction(8),
                verdict=Verdict.ACCEPTED,
                award="groups",
                cases=(),
                groups=(
                    GroupResult(
                        id="g",
                        award="threshold",
                        at_least="60%",
                        mark=Fraction(13, 3),
                        max_mark=Fraction(8),
                        accepted=1,
                        cases=2,
                        bonus=True,
                    ),
                ),
                bonus=True,
            ),
        ),
        caps=(Cap(title="Extra", most=Fraction(4), amount=Fraction(1, 3)),),
        attempts=(
            AttemptResult(
                id="attempt-1",
                mark=Fraction(3),
                status=Status.MARKED,
                submitted="2026-11-20T23:59:00Z",
                late_s=3600,
                counts=True,
            ),
            AttemptResult(id="attempt-2", mark=Fraction(0), status=Status.PENDING),
        ),
        counting="best",
    )
    return [whole, waiting, absent, by_policy]
