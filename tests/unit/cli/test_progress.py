"""The words of the progress: what fits on a line, in numbers that promise no more than is known."""

from fractions import Fraction
from time import monotonic

import pytest

from grader.cli.progress.marking import _Lines, _parts, joined, preparing, progress, roughly
from grader.cli.progress.outlook import Outlook
from grader.model.events import CaseUnderWay, SubmissionMarked, SubmissionStarted
from grader.model.results import Status, SubmissionResult


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "about 1 s"),
        (7.4, "about 7 s"),
        (43, "about 40 s"),
        (89, "about 90 s"),
        (95, "about 2 min"),
        (1234, "about 21 min"),
        (9000, "about 2.5 h"),
    ],
)
def test_a_guess_is_rounded(seconds: float, words: str) -> None:
    assert roughly(seconds) == words


def test_what_does_not_fit_is_counted() -> None:
    parts = [
        "marked 40 of 200",
        "about 3 min left",
        *(f"student-{n}: 41 s, case 3.2 waits" for n in range(4)),
    ]
    assert joined(parts[:3], 80) == "marked 40 of 200; about 3 min left; student-0: 41 s, case 3.2 waits"
    assert joined(parts, 80) == "marked 40 of 200; about 3 min left; student-0: 41 s, case 3.2 waits; 3 more"
    for width in range(1, 200):
        assert len(joined(parts, width)) <= max(width, len(parts[0]))
    assert joined(parts[:1], 3) == parts[0]


def test_a_name_can_neither_draw_nor_deceive() -> None:
    outlook = Outlook(2, 60.0)
    outlook.see(SubmissionStarted("a", "\x1b[2J\u202e::error::" + "x" * 99), 0.0)
    outlook.see(CaseUnderWay("a", "3.2", waits=True), 1.0)
    (told,) = [part for part in _parts(outlook, 41.0) if "41 s" in part]
    assert told.isprintable()
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert told.endswith("…: 41 s, case 3.2 waits")
    assert len(told) <= 24 + len(": 41 s, case 3.2 waits")


def test_a_log_gets_a_line_now_and_then_and_one_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    """No colour, nothing that is drawn again, and never more than the columns that a pipe has."""
    names = ["a", "b\x1b[31m", *(f"student-with-a-long-name-{number}" for number in range(9))]
    lines = _Lines(len(names), 60.0)
    for name in names:
        lines._outlook.see(SubmissionStarted(name, name), monotonic() - 41)
    lines.see(CaseUnderWay("a", "3.2", waits=True))
    lines._tell()
    for name in names:
        lines.see(SubmissionMarked(not_handed_in(name)))
    said = capsys.readouterr().err
    assert said.isascii() or "…" in said
    assert "\x1b" not in said
    now, end = said.splitlines()
    # Nobody is done, so nothing tells how long these take.
    assert now.startswith("marked 0 of 11; a: 41 s, case 3.2 waits; b")
    assert now.endswith(" more")
    assert len(now) <= 80
    assert end.startswith("marked 11 of 11 in ")


def test_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with preparing(quiet=True) as tell, progress(1, 60.0, quiet=True) as shown:
        tell("examining the sandbox")
        shown.say("marking")
        shown.see(SubmissionStarted("a", "a"))
        shown.see(SubmissionMarked(not_handed_in("a")))
    assert capsys.readouterr() == ("", "")


def not_handed_in(name: str) -> SubmissionResult:
    return SubmissionResult(
        id=name, name=name, mark=Fraction(0), max_mark=Fraction(1), status=Status.NO_SUBMISSION
    )
