"""A check says of every public case what marking says, with the spec and with the handout.

Of some samples of the seven specs, each with a verdict that those before lack, the verdicts and the words
are compared; of the references, and of fewer samples with the handout, the verdicts.  Small tasks are in
`tests/integration/test_bundle.py`.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.declared import read_declared, telling_few
from support.marked_samples import marked_sample
from support.results_sample import RUN

from grader.authoring.bench import REFERENCE, programs_of
from grader.authoring.bundle.build import make_bundle, write_bundle
from grader.authoring.programs import Declaration, slow_cases, with_short_limits
from grader.cli.own_work import own_work
from grader.engine.self_check import SelfCheck, public_part
from grader.model.case import Visibility
from grader.model.errors import NothingToMark
from grader.model.results import CaseResult, RunResults, Status, SubmissionResult, TaskHead
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.spec import load_task
from grader.store.reading import read_results
from grader.store.results_json import write_results

ROOT = Path(__file__).parents[2]
MOST_SAMPLES = 4
MOST_IN_WORDS = 6
_LINE = r", in line \d+ of [\w./-]+"
SPECS = sorted(path.stem for path in (ROOT / "specs").glob("*.yaml"))


def test_there_are_seven() -> None:
    assert len(SPECS) == 7


@pytest.mark.parametrize("name", SPECS)
def test_a_check_with_the_handout_says_what_marking_says(
    name: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """With the spec itself, the next test compares more."""
    task = load_task(ROOT / "specs" / f"{name}.yaml")
    batch = ROOT / "submissions" / name
    declared = read_declared(batch)
    write_bundle(make_bundle(task.spec_path, with_checkers=True), tmp_path / "handout")
    handout = load_task(tmp_path / "handout" / f"{name}.yaml")
    marked = {result.id: public(task, result) for result in marked_sample(name, tmp_path_factory).submissions}
    few = {folder.name: declared[folder.name] for folder in telling_few(task, batch, MOST_SAMPLES)}
    assert len(few) > MOST_SAMPLES // 2
    for slow, works in by_slow_cases(few).items():
        with SelfCheck(public_part(with_short_limits(handout, slow))) as by_handout:
            for work in works:
                if not marked[work]:
                    continue
                tried = public(task, by_handout.check(own_work(batch / work, task.asked)))
                assert tried
                assert differing({case: marked[work][case] for case in tried}, tried) == {}, work
    with SelfCheck(public_part(handout)) as by_handout:
        folder = written_reference(task, tmp_path / "works")
        reference = public(task, by_handout.check(own_work(folder, dict(task.modules))))
    assert {result.verdict for result in reference.values()} == {Verdict.ACCEPTED}


@pytest.mark.parametrize("name", SPECS)
def test_a_check_says_of_a_sample_what_marking_says(
    name: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    batch = ROOT / "submissions" / name
    task, declared = load_task(ROOT / "specs" / f"{name}.yaml"), read_declared(batch)
    marked = {result.id: result for result in marked_sample(name, tmp_path_factory).submissions}
    assert set(marked) == set(declared)
    few = {folder.name: declared[folder.name] for folder in telling_few(task, batch, MOST_IN_WORDS)}
    checked = list[SubmissionResult]()
    for slow, works in by_slow_cases(few).items():
        with SelfCheck(public_part(with_short_limits(task, slow))) as session:
            for work in works:
                if marked[work].status is Status.NO_SUBMISSION:
                    with pytest.raises(NothingToMark):
                        own_work(batch / work, task.asked)
                    continue
                checked.append(session.check(own_work(batch / work, task.asked)))
    # As they are kept: results.json leaves out what only a terminal shows.
    write_results(tmp_path / "results.json", RunResults(RUN, TaskHead.of(task), checked))
    compared = 0
    for result in read_results(tmp_path / "results.json").submissions:
        expected, found = public(task, marked[result.id]), public(task, result)
        assert set(expected) == set(found)
        assert differing(expected, found, told) == {}, result.id
        compared += len(found)
    assert compared > len(few) > MOST_SAMPLES // 2


def by_slow_cases(declared: dict[str, Declaration]) -> dict[frozenset[str], list[str]]:
    """Return the names of works by the cases that are declared to run into a limit."""
    found: dict[frozenset[str], list[str]] = {}
    for name, declaration in declared.items():
        found.setdefault(slow_cases(declaration), []).append(name)
    return found


def told(case: CaseResult) -> tuple[object, ...]:
    """Return all that is told of a case, but for what was measured, and what was printed beside the answer.

    A program that is ended, or has threads, does not print the same twice, and one can answer by addresses.
    On a busy machine a program that is stopped may not say in time at which line it is.
    """
    if case.timing is not None or case.growth is not None:
        return case.verdict, case.score
    plain = replace(
        case, cpu_s=0, wall_s=0, peak_rss_b=0, near_limit=False, stopped_at=None, stdout="", stderr=""
    )
    return case.verdict, re.sub(r"\d[\d.]* m?s\b|\b\d{12,}\b", "…", re.sub(_LINE, "", repr(plain)))


def written_reference(task: Task, folder: Path) -> Path:
    """Return a folder with the files of the reference, as a student hands them in."""
    names = dict(task.modules)
    (program,) = (each for each in programs_of(task) if each.kind == REFERENCE)
    folder.mkdir()
    for module, file in program.submission.files.items():
        if module in names:
            (folder / names[module]).write_text(file.text, encoding="utf-8", errors="surrogateescape")
    return folder


def public(task: Task, result: SubmissionResult) -> dict[str, CaseResult]:
    """Return the results of the public cases, by id."""
    ids = {case.id for case in task.cases if case.visibility is Visibility.PUBLIC}
    cases = (case for question in result.questions for case in question.cases)
    return {case.id: case for case in cases if case.id in ids}


def verdict_of(case: CaseResult) -> object:
    return case.verdict


def differing(
    one: dict[str, CaseResult],
    other: dict[str, CaseResult],
    told: Callable[[CaseResult], object] = verdict_of,
) -> dict[str, tuple[object, object]]:
    """Return what differs; cases near a time limit, and what needs them, can differ by chance."""
    found = {}
    chancy = {case for case in one if one[case].near_limit or other[case].near_limit}
    for case in one:
        if case in chancy or (Verdict.SKIPPED in (one[case].verdict, other[case].verdict) and chancy):
            continue
        if told(one[case]) != told(other[case]):
            found[case] = told(one[case]), told(other[case])
    return found
