"""The sample batch of knights-tour gets exactly the marks that are declared for it."""

from pathlib import Path

import pytest
import yaml

from grader.engine.run import mark_batch
from grader.intake import discover
from grader.marking.rounding import format_mark
from grader.model.events import RunStarted, SubmissionMarked
from grader.model.results import SubmissionResult
from grader.spec import load_task

ROOT = Path(__file__).parents[2]
BATCH = ROOT / "submissions" / "knights-tour"
DECLARED = yaml.safe_load((BATCH / "expected.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def marked() -> dict[str, SubmissionResult]:
    """Mark the whole batch once."""
    task = load_task(ROOT / "specs" / "knights-tour.yaml")
    events = list(mark_batch(task, discover([BATCH], dict(task.modules))))
    assert isinstance(events[0], RunStarted)
    return {event.result.id: event.result for event in events if isinstance(event, SubmissionMarked)}


def test_every_sample_is_declared_and_marked(marked: dict[str, SubmissionResult]) -> None:
    assert len(DECLARED) >= 12
    assert set(marked) == set(DECLARED)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("student", sorted(DECLARED))
def test_a_sample_gets_its_declared_marks(marked: dict[str, SubmissionResult], student: str) -> None:
    declared, result = DECLARED[student], marked[student]
    assert format_mark(result.mark) == str(declared["mark"])
    found = {question.id: format_mark(question.mark) for question in result.questions}
    assert found == {str(name): str(mark) for name, mark in declared["questions"].items()}
    verdicts = {case.id: str(case.verdict) for question in result.questions for case in question.cases}
    declared_verdicts = {str(name): verdict for name, verdict in (declared.get("verdicts") or {}).items()}
    assert {name: verdicts[name] for name in declared_verdicts} == declared_verdicts


@pytest.mark.timeout(1500)
def test_an_honest_slow_port_gets_full_marks() -> None:
    """The plain translation of the source's own method: lists, clockwise order, nothing pruned.

    Takes a few minutes of CPU time, most of it for `first_tour` on 8x8, which is the point.
    """
    task = load_task(ROOT / "specs" / "knights-tour.yaml")
    ports = discover([ROOT / "specs" / "knights-tour" / "right" / "plain-port"], dict(task.modules))
    results = [event.result for event in mark_batch(task, ports) if isinstance(event, SubmissionMarked)]
    assert [format_mark(result.mark) for result in results] == ["11"]
