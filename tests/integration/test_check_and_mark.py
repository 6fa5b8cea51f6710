"""A check says of every public case what marking says, with the spec and with the handout.

It is so for the references of the seven specs, and for samples with a verdict of each kind that takes no long
time; `test_samples` marks all samples.  Small tasks are in `tests/integration/test_bundle.py`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.declared import telling_few

from grader.authoring.bench import REFERENCE, programs_of
from grader.authoring.bundle.build import make_bundle, write_bundle
from grader.cli.own_work import own_work
from grader.engine.run_config import prepare_run
from grader.engine.self_check import SelfCheck, public_part, strongest_zygote
from grader.engine.worker import Marker
from grader.intake import Candidate, read
from grader.model.case import Visibility
from grader.model.results import CaseResult, SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.spec import load_task

ROOT = Path(__file__).parents[2]
MOST_SAMPLES = 4
SPECS = sorted(path.stem for path in (ROOT / "specs").glob("*.yaml"))


def test_there_are_seven() -> None:
    assert len(SPECS) == 7


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", SPECS)
def test_check_and_mark_agree(name: str, tmp_path: Path) -> None:
    task = load_task(ROOT / "specs" / f"{name}.yaml")
    write_bundle(make_bundle(task.spec_path, with_checkers=True), tmp_path / "handout")
    handout = load_task(tmp_path / "handout" / f"{name}.yaml")
    works = dict(folders(task, tmp_path / "works"))
    assert len(works) > MOST_SAMPLES // 2
    with strongest_zygote(task, task.python) as zygote:
        driver = zygote.driver
    with (
        Marker(prepare_run(task, driver, task.python)) as marker,
        SelfCheck(public_part(task)) as by_spec,
        SelfCheck(public_part(handout)) as by_handout,
    ):
        for work, folder in works.items():
            candidate = own_work(folder, dict(task.modules))
            marked = public(task, marker.mark(submission_of(task, candidate)).result)
            checked = public(task, by_spec.check(candidate))
            assert differing(marked, checked) == {}, work
            tried = public(task, by_handout.check(candidate))
            assert tried
            assert differing({case: marked[case] for case in tried}, tried) == {}, work
        reference = public(task, by_handout.check(own_work(works["reference"], dict(task.modules))))
        assert {result.verdict for result in reference.values()} == {Verdict.ACCEPTED}


def folders(task: Task, below: Path) -> Iterator[tuple[str, Path]]:
    """Yield the folders of all works of a task, by name; the reference's is written below `below`."""
    names = dict(task.modules)
    for program in programs_of(task):
        if program.kind != REFERENCE:
            continue
        folder = below / program.name
        folder.mkdir(parents=True)
        for module, file in program.submission.files.items():
            if module in names:
                (folder / names[module]).write_text(file.text, encoding="utf-8", errors="surrogateescape")
        if any(folder.iterdir()):
            yield program.name, folder
    for folder in telling_few(task, ROOT / "submissions" / task.id, MOST_SAMPLES):
        yield folder.name, folder


def submission_of(task: Task, candidate: Candidate) -> Submission:
    return read(candidate, dict(task.modules), task.repairs)


def public(task: Task, result: SubmissionResult) -> dict[str, CaseResult]:
    """Return the results of the public cases, by id."""
    ids = {case.id for case in task.cases if case.visibility is Visibility.PUBLIC}
    cases = (case for question in result.questions for case in question.cases)
    return {case.id: case for case in cases if case.id in ids}


def differing(one: dict[str, CaseResult], other: dict[str, CaseResult]) -> dict[str, tuple[Verdict, Verdict]]:
    """Return the verdicts that differ; those near a time limit, and what needs them, can differ by chance."""
    found = {}
    chancy = {case for case in one if one[case].near_limit or other[case].near_limit}
    for case in one:
        if case in chancy or (Verdict.SKIPPED in (one[case].verdict, other[case].verdict) and chancy):
            continue
        if one[case].verdict is not other[case].verdict:
            found[case] = one[case].verdict, other[case].verdict
    return found
