"""Mistakes in the order of the file, each once, and never more than anyone reads."""

import pytest

from grader.model.errors import SpecError
from grader.yamlfile.reporter import MAX_FAULTS, Reporter
from grader.yamlfile.source import Source, Span

TEXT = "one two three\n" * 300


def faults_of(reporter: Reporter) -> list[str]:
    with pytest.raises(SpecError) as caught:
        reporter.raise_if_any()
    return [f"{fault.where}: {fault.message}" for fault in caught.value.faults]


def test_no_mistake_raises_nothing() -> None:
    Reporter(Source("a", TEXT)).raise_if_any()


def test_mistakes_are_sorted_by_place_and_other_files_come_last() -> None:
    reporter = Reporter(Source("a", TEXT))
    reporter.report(Span(0, 1), "in the other", source=Source("b", "x"))
    reporter.report(Span(14, 15), "second line")
    reporter.report(Span(4, 5), "first line")
    assert faults_of(reporter) == ["a:1:5: first line", "a:2:1: second line", "b:1:1: in the other"]


def test_the_same_mistake_at_the_same_place_is_told_once() -> None:
    reporter = Reporter(Source("a", TEXT))
    for _ in range(3):
        reporter.report(Span(4, 5), "wrong")
    assert len(faults_of(reporter)) == 1


def test_mistakes_beyond_the_bound_are_counted() -> None:
    reporter = Reporter(Source("a", TEXT))
    for offset in range(MAX_FAULTS + 7):
        reporter.report(Span(offset, offset), "wrong")
    faults = faults_of(reporter)
    assert len(faults) == MAX_FAULTS + 1
    assert faults[-1] == "a: 7 more mistakes are not shown"


def test_the_nearest_name_is_suggested() -> None:
    reporter = Reporter(Source("a", TEXT))
    assert reporter.nearest("returs", ["call", "returns"]) == "did you mean `returns`?"
    assert reporter.nearest("xyz", ["call", "returns"]) == ""
    assert reporter.nearest_or_all("xyz", ["call", "returns"]) == "there is `call`, `returns`"
    assert reporter.nearest("x" * 100_000, ["call"]) == ""
