"""The pages of a course in its language: each sentence of ours is in it, and the data stay as they are."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.course_sample import standing
from support.pseudo_language import Words, in_cyrillic, in_greek, latin_words
from support.said import said

from grader.course.arithmetic.slip import SlipLedger
from grader.course.pages.write import write_pages
from grader.course.standing import Standing
from grader.model.task import PageLanguage
from grader.reports import words
from grader.reports.words import speaking

COMMAND = {"grader", "course", "mark"}
"""What one types."""


def in_german() -> Standing:
    """Return the sample, as it is gathered for a course in German."""
    with speaking(PageLanguage.GERMAN):
        found = standing()
    return replace(found, course=replace(found.course, language=PageLanguage.GERMAN))


@pytest.mark.parametrize("filled", [True, False])
def test_no_english_word_stands_on_a_page_in_another_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, filled: bool
) -> None:
    monkeypatch.setitem(words.CATALOGUES, PageLanguage.GERMAN, in_cyrillic(said()))  # type: ignore[arg-type]
    found = in_german()
    found = replace(
        in_greek(replace(found, ledgers={})),
        course=replace(in_greek(found.course), language=PageLanguage.GERMAN),
        ledgers={in_greek(own): greek(ledger) for own, ledger in found.ledgers.items()},
    )
    if not filled:
        found = replace(found, students=(), cells={}, ledgers={}, notes=())
    write_pages(found, tmp_path / "course", ("τ",), rows=8)
    pages = sorted((tmp_path / "course").rglob("*.html"))
    assert len(pages) == (2 + 2 * len(found.students) if filled else 1)
    for path in pages:
        page = path.read_text("utf-8")
        assert '<html lang="de">' in page
        assert latin_words(" ".join(Words(page).seen)) - COMMAND == set(), path


def greek(ledger: SlipLedger) -> SlipLedger:
    """Return the ledger with its data in Greek letters; its reasons are ours."""
    entries = tuple(replace(entry, task=in_greek(entry.task)) for entry in ledger.entries)
    return replace(ledger, grants=in_greek(ledger.grants), entries=entries)


def test_the_sheet_is_the_same_in_every_language(tmp_path: Path) -> None:
    for folder, found in (("en", standing()), ("de", in_german())):
        write_pages(found, tmp_path / folder, ())
    sheets = [(tmp_path / folder / "gradebook.csv").read_bytes() for folder in ("en", "de")]
    assert sheets[0] == sheets[1]


def test_a_page_in_german_reads_like_one(tmp_path: Path) -> None:
    write_pages(in_german(), tmp_path / "course", ("words",))
    index = (tmp_path / "course" / "index.html").read_text("utf-8")
    own = (tmp_path / "course" / "students" / "student-04.html").read_text("utf-8")
    for text in ("Braucht einen Menschen", "nicht bestanden", "befr.", "Karenztage<br>", "Stand 2026-10-02"):
        assert text in index
    for text in (
        "Mindestens 40% in 1 von 1 Aufgabe: offen (0 erreicht, 1 befreit)",
        "Mittel von 1 Aufgabe: 5%",
        "Hochgerechnet auf die Teile, die da sind",
        "3 von 60; 1 Stunde",
    ):
        assert text in own
