"""A small run with every verdict, built from model objects, for the tests of reports."""

import json
from fractions import Fraction
from typing import Any

from grader.model.case import Visibility
from grader.model.results import (
    CaseResult,
    Difference,
    Frame,
    QuestionResult,
    Raised,
    RunInfo,
    RunResults,
    SandboxInfo,
    SourceText,
    Status,
    SubmissionResult,
    TaskHead,
)
from grader.model.verdict import Verdict, summary
from grader.store.results_json import RESULTS, json_text

RUN = RunInfo(
    id="2026-03-04T1506-7f3a",
    grader="0.1.0",
    spec_sha256="9f2c" * 16,
    seed=7,
    python="3.12.4",
    sandbox=SandboxInfo(
        "landlock",
        {
            "files-read": True,
            "files-write": True,
            "files-metadata": False,
            "disk": False,
            "network": True,
            "processes": True,
            "signals": True,
            "memory": True,
            "cpu": True,
            "leftovers": True,
        },
    ),
    started="2026-03-04T15:06:07+00:00",
    finished="2026-03-04T15:09:41+00:00",
)
TASK = TaskHead(id="knights-tour", title="Knight's Tour", max_mark=Fraction(8))

_QUESTIONS = {
    "1": ("is_legal", 1, "all"),
    "2": ("legal_moves", 1, "each"),
    "3": ("count_tours and enum_tours", 1, "all"),
    "4": ("first", 1, "all"),
    "5": ("first_tour", 2, "groups"),
    "6": ("ordered_moves", 2, "each"),
}


def case(case_id: str, call: str, verdict: Verdict = Verdict.ACCEPTED, **fields: object) -> CaseResult:
    """Return a case with plausible measurements; an accepted one has its full score."""
    settled: dict[str, object] = {
        "score": Fraction(1 if verdict is Verdict.ACCEPTED else 0),
        "cpu_s": 0.0012,
        "wall_s": 0.0031,
        "peak_rss_b": 12_345_678,
        "time_limit_s": 30.0,
    }
    if verdict in (Verdict.SKIPPED, Verdict.LOAD_ERROR, Verdict.MISSING):
        settled |= {"cpu_s": 0.0, "wall_s": 0.0, "peak_rss_b": 0}
    return CaseResult(id=case_id, call=call, verdict=verdict, **(settled | fields))  # type: ignore[arg-type]


def question(question_id: str, mark: Fraction | int, *cases: CaseResult) -> QuestionResult:
    """Return one of the task's questions with these cases."""
    title, max_mark, award = _QUESTIONS[question_id]
    return QuestionResult(
        id=question_id,
        title=title,
        mark=Fraction(mark),
        max_mark=Fraction(max_mark),
        verdict=summary(case.verdict for case in cases),
        award=award,
        cases=cases,
    )


def _is_legal() -> QuestionResult:
    return question(
        "1",
        1,
        case("1.1", "is_legal(8, [], (0, 0))", expected="True", actual="True"),
        case("1.2", "is_legal(8, [(0, 0)], (0, 0))", expected="False", actual="False"),
        case(
            "1.3", "is_legal(8, [], (9, 9))", visibility=Visibility.HIDDEN, expected="False", actual="False"
        ),
    )


def _good() -> SubmissionResult:
    return SubmissionResult(
        id="student-01",
        name="Anna Schmidt",
        mark=Fraction("7.33"),
        max_mark=Fraction(8),
        status=Status.MARKED,
        content_sha256="1a" * 32,
        questions=(
            _is_legal(),
            question("2", 1, case("2.1", "legal_moves(8, [], (2, 2))", actual="[(3, 4), (4, 3)]")),
            question(
                "3",
                1,
                case("3.1", "count_tours(5, [(0, 0)])", actual="304", expected="304", cpu_s=7.13, wall_s=7.2),
                case(
                    "3.2", "sum of count_tours(5, [(x, y)]) for x in range(5), y in range(5)", actual="1728"
                ),
            ),
            question("4", 1, case("4.1", "first([1, 2, 3], f)", expected="20", actual="20")),
            question("5", 2, case("5.1", "first_tour(8, start)", expected="tour(dim=8)", group="big")),
            question(
                "6",
                Fraction(4, 3),
                case("6.1", "ordered_moves(8, [], (1, 3))", weight=Fraction(2)),
                case(
                    "6.2",
                    "ordered_moves(8, [], (0, 0))",
                    Verdict.PARTIAL,
                    score=Fraction(1, 2),
                    message="The moves are right, their order is not.",
                    expected="ordered(dim=8)",
                    actual="[(2, 1), (1, 2)]",
                ),
            ),
        ),
    )


def _wrong() -> SubmissionResult:
    return SubmissionResult(
        id="student-02",
        name="Zoë Müller-Łukasz",
        mark=Fraction("3.5"),
        max_mark=Fraction(8),
        status=Status.MARKED,
        content_sha256="2b" * 32,
        notes=("knight1.py was read as latin-1.",),
        questions=(
            _is_legal(),
            question(
                "2",
                Fraction(1, 2),
                case(
                    "2.1",
                    "legal_moves(8, [], (7, 7))",
                    expected="[(6, 5), (5, 6)]",
                    actual="[(6, 5), (5, 6)]",
                ),
                case(
                    "2.2",
                    "legal_moves(8, [], (2, 2))",
                    Verdict.WRONG_ANSWER,
                    message="item 6, item 2: expected 1, got 3",
                    expected="[(3, 4), (4, 3), (4, 1), (3, 0), (1, 0), (0, 1), (0, 3), (1, 4)]",
                    actual="[(3, 4), (4, 3), (4, 1), (3, 0), (1, 0), (0, 3), (0, 1), (1, 4)]",
                    difference=Difference("item 6, item 2", "1", "3", code="answer[5][1]"),
                    hint="Clockwise from twelve o'clock; look at the order of the last jumps.",
                    stdout="trying (2, 2)\ntrying (3, 4)\n",
                ),
            ),
            question(
                "3",
                0,
                case(
                    "3.1",
                    "count_tours(5, [(0, 0)])",
                    Verdict.WRONG_ANSWER,
                    expected="304",
                    actual="303",
                    difference=Difference("", "304", "303"),
                    cpu_s=9.87,
                    wall_s=10.1,
                ),
                case(
                    "3.2",
                    "count_tours(6, [(0, 0)])",
                    Verdict.WRONG_ANSWER,
                    visibility=Visibility.HIDDEN,
                    message="The answer differs from the expected one.",
                    expected="524486",
                    actual="1",
                    difference=Difference("", "524486", "1"),
                    stdout="a hidden board\n",
                ),
                case(
                    "3.3",
                    "enum_tours(4, [(0, 0)])",
                    Verdict.SKIPPED,
                    message="Skipped: 3.1 was not accepted.",
                ),
            ),
            question("4", 1, case("4.1", "first([1, 2, 3], f)", expected="20", actual="20")),
            question(
                "5",
                1,
                case("5.1", "first_tour(5, start)", expected="tour(dim=5)", group="small"),
                case(
                    "5.2",
                    "first_tour(8, start)",
                    Verdict.WRONG_ANSWER,
                    group="big",
                    visibility=Visibility.AFTER_DUE,
                    message="Positions 12 and 13 are not a knight's move apart.",
                    expected="tour(dim=8)",
                    actual="[(7, 7), (5, 6), (3, 5)]",
                ),
            ),
            question(
                "6",
                0,
                case(
                    "6.1",
                    "ordered_moves(8, [], (1, 3))",
                    Verdict.MISSING,
                    message="knight2.py has no ordered_moves.",
                    weight=Fraction(2),
                ),
                case(
                    "6.2",
                    "ordered_moves(8, [], (0, 0))",
                    Verdict.MISSING,
                    message="knight2.py has no ordered_moves.",
                ),
            ),
        ),
    )


def _dying() -> SubmissionResult:
    frames = (
        Frame("knight1.py", 31, "first_tour", "return search(dim, path)"),
        *(Frame("knight1.py", 44, "search", "result = search(dim, [x] + path)") for _ in range(20)),
        Frame("knight1.py", 40, "search", "if len(path) == dim * dimension:"),
    )
    return SubmissionResult(
        id="student-03",
        name="李小龍",
        mark=Fraction(0),
        max_mark=Fraction(8),
        status=Status.MARKED,
        content_sha256="3c" * 32,
        questions=(
            question(
                "1",
                0,
                case("1.1", "is_legal(8, [], (0, 0))", Verdict.CRASHED, message="It ended by SIGSEGV."),
                case(
                    "1.2",
                    "is_legal(8, [(0, 0)], (0, 0))",
                    Verdict.RULE_BROKEN,
                    message="It imports threading.",
                ),
                case("1.3", "is_legal(8, [], (9, 9))", Verdict.CRASHED, visibility=Visibility.HIDDEN),
            ),
            question(
                "2",
                0,
                case("2.1", "legal_moves(8, [], (2, 2))", Verdict.MEMORY_LIMIT, peak_rss_b=1_073_741_824),
                case(
                    "2.2",
                    "legal_moves(8, [], (7, 7))",
                    Verdict.OUTPUT_LIMIT,
                    stdout="".join(f"line {number} of very much output\n" for number in range(400)),
                ),
            ),
            question(
                "3",
                0,
                case("3.1", "count_tours(5, [(0, 0)])", Verdict.TIME_LIMIT, cpu_s=30.02, wall_s=30.4),
                case("3.2", "count_tours(1, [(0, 0)])", Verdict.WALL_LIMIT, cpu_s=0.004, wall_s=91.0),
            ),
            question(
                "4",
                0,
                case(
                    "4.1",
                    "first([1, 2, 3], f)",
                    Verdict.FORBIDDEN,
                    message="The sandbox refused to open a network connection.",
                    stderr="PermissionError: [Errno 1] Operation not permitted\n",
                ),
            ),
            question(
                "5",
                0,
                case(
                    "5.1",
                    "first_tour(8, start)",
                    Verdict.EXCEPTION,
                    message="It raised NameError where an answer was expected.",
                    raised=Raised("NameError", "name 'dimension' is not defined", frames),
                    expected="tour(dim=8)",
                ),
            ),
            question(
                "6",
                0,
                case(
                    "6.1",
                    "ordered_moves(8, [], (1, 3))",
                    Verdict.RUNTIME_ERROR,
                    expected=str([(number, number + 1) for number in range(400)]),
                    actual=str([(number, number + 1) for number in range(399)]),
                    difference=Difference("the length", "400 items", "399 items"),
                ),
            ),
        ),
    )


_UNFINISHED = (
    '"""Knight\'s tours: <b>&\u202e."""\n' + "\n" * 10 + "def is_legal(dim, path, x)\n    return True\n"
)


def _pending() -> SubmissionResult:
    return SubmissionResult(
        id="student-04",
        name="student-04",
        mark=Fraction(2),
        max_mark=Fraction(8),
        status=Status.PENDING,
        content_sha256="4d" * 32,
        questions=(
            _is_legal(),
            question("2", 1, case("2.1", "legal_moves(8, [], (2, 2))")),
            question(
                "3",
                0,
                case(
                    "3.1",
                    "count_tours(5, [(0, 0)])",
                    Verdict.INTERNAL_ERROR,
                    message="The checker all_tours raised KeyError.",
                ),
            ),
        ),
    )


def _unloadable() -> SubmissionResult:
    raised = Raised(
        "SyntaxError", "expected ':'", (Frame("knight1.py", 12, "<module>", "def is_legal(dim, path, x)"),)
    )
    failed = {"message": "knight1.py could not be imported.", "raised": raised}
    return SubmissionResult(
        id="student-05",
        name="Émile de la Tour-du-Pin-Chambly et de Montmorency-Laval",
        mark=Fraction(0),
        max_mark=Fraction(8),
        status=Status.MARKED,
        content_sha256="5e" * 32,
        problems=("The zip holds a file with an unsafe path; it was left out.",),
        sources=(
            SourceText("knight1", "knight1.py", _UNFINISHED),
            SourceText("tools", "tools.py", "X = 1\n"),
        ),
        questions=(
            question(
                "1",
                0,
                case("1.1", "is_legal(8, [], (0, 0))", Verdict.LOAD_ERROR, **failed),
                case("1.2", "is_legal(8, [(0, 0)], (0, 0))", Verdict.LOAD_ERROR, **failed),
                case("1.3", "is_legal(8, [], (9, 9))", Verdict.LOAD_ERROR, visibility=Visibility.HIDDEN),
            ),
            question("2", 0, case("2.1", "legal_moves(8, [], (2, 2))", Verdict.LOAD_ERROR, **failed)),
        ),
    )


def _absent() -> SubmissionResult:
    return SubmissionResult(
        id="student-06",
        name="student-06",
        mark=Fraction(0),
        max_mark=Fraction(8),
        status=Status.NO_SUBMISSION,
    )


def submissions() -> list[SubmissionResult]:
    """Return the six students; together they have every verdict and every status."""
    return [_good(), _wrong(), _dying(), _pending(), _unloadable(), _absent()]


def as_json(value: object) -> Any:
    """Return results, or a part of them, as the JSON of a results file."""
    return json.loads(json_text(RESULTS.write(value)))


def results() -> RunResults:
    """Return the results of the run."""
    return RunResults(RUN, TASK, submissions())
