"""The words of the progress: what fits on a line, in numbers that promise no more than is known."""

import pytest

from grader.cli.outlook import Outlook
from grader.cli.progress import _parts, joined, roughly
from grader.model.events import CaseUnderWay, SubmissionStarted


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
