"""Words, units and file names."""

from fractions import Fraction

import pytest

from grader.model.verdict import Verdict
from grader.reports.tone import Tone
from grader.reports.views.wording import (
    duration,
    is_weak,
    point_in_time,
    short_number,
    size,
    verdict_wording,
)
from grader.reports.written_pages import page_file, page_link


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_has_words_of_its_own(verdict: Verdict) -> None:
    words = {verdict_wording(other.value).word for other in Verdict if other is not verdict}
    assert verdict_wording(verdict.value).word not in words


def test_only_accepted_is_good_and_only_our_own_fault_is_ours() -> None:
    tones = {verdict: verdict_wording(verdict.value).tone for verdict in Verdict}
    assert [verdict for verdict, tone in tones.items() if tone is Tone.GOOD] == [Verdict.ACCEPTED]
    assert [verdict for verdict, tone in tones.items() if tone is Tone.OURS] == [Verdict.INTERNAL_ERROR]


def test_an_unknown_verdict_is_shown_by_its_name() -> None:
    assert verdict_wording("too-clever").word == "too-clever"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "<1 ms"),
        (0.0004, "<1 ms"),
        (0.0012, "1 ms"),
        (0.4123, "412 ms"),
        (0.9996, "1 s"),
        (1.7221, "1.72 s"),
        (30, "30 s"),
        (60, "1 min"),
        (91.2, "1 min 31 s"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(("count_b", "text"), [(812, "812 B"), (12_345_678, "11.8 MiB"), (1 << 30, "1 GiB")])
def test_sizes(count_b: int, text: str) -> None:
    assert size(count_b) == text


@pytest.mark.parametrize(
    ("mark", "text"),
    [("9.5", "9.5"), ("10", "10"), ("100", "100"), ("1/3", "0.33"), ("3/8", "0.375"), ("1/16", "0.06")],
)
def test_short_numbers(mark: str, text: str) -> None:
    assert short_number(Fraction(mark)) == text


def test_points_in_time() -> None:
    assert point_in_time("2026-03-04T15:06:07+00:00") == "2026-03-04 15:06 UTC"
    assert point_in_time("yesterday") == "yesterday"


def test_weak_drivers() -> None:
    assert [
        name for name in ("namespaces", "bubblewrap", "landlock", "seccomp", "posix") if is_weak(name)
    ] == [
        "seccomp",
        "posix",
    ]


@pytest.mark.parametrize("student_id", ["student-01", "Zoë Müller", "a.b_c", "李"])
def test_a_safe_id_is_its_file_name(student_id: str) -> None:
    assert page_file(student_id) == f"{student_id}.html"


@pytest.mark.parametrize(
    "student_id",
    [
        "../../etc/passwd",
        "..",
        ".",
        "",
        "a/b",
        "a\\b",
        "C:x",
        "a\x00b",
        ".hidden",
        "\ud800",
        "x" * 400,
        "é" * 150,
    ],
)
def test_no_id_leads_out_of_the_folder(student_id: str) -> None:
    name = page_file(student_id)
    assert not set('/\\:\x00"<>') & set(name)
    assert not name.startswith(".")
    assert len(name.encode()) <= 255


def test_different_ids_have_different_files() -> None:
    ids = ["a/b", "a%2Fb", "%a%2Fb", "a\\b", "ab", "x" * 400, "x" * 401, ".", "..", ""]
    assert len({page_file(student_id) for student_id in ids}) == len(ids)


def test_links_are_percent_encoded() -> None:
    assert page_link("staff", "Zoë #1?") == "staff/%25Zo%25C3%25AB%2520%25231%253F.html"
    assert page_link("staff", "Zoë 1") == "staff/Zo%C3%AB%201.html"
