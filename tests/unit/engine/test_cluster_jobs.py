"""Which worker gets which submission, and what becomes of one that failed, was lost or was too slow."""

import asyncio
import pickle
from collections.abc import Awaitable, Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from support.trees import MakeTree

from grader.engine.cache.keys import nothing_known
from grader.engine.worker import MarkedSubmission
from grader.intake import discover
from grader.model.results import Status, SubmissionResult
from grader.model.task import Task
from grader.plugins.cluster.jobs import Jobs, MarkingJob
from grader.plugins.cluster.link import Worker
from grader.plugins.cluster.results import Malformed, encode_marked
from grader.spec import load_task

SPEC = """
task: sample
title: Sample
marks: 1
modules: {work: work.py}
questions: [{id: "1", title: One, marks: 1, cases: [{call: one(), returns: 1}]}]
"""
ONE, TWO, FAR = (
    Worker(f"tcp://{host}:{port}", name, host, 1, True, 0.0)
    for name, host, port in (("one", "here", 1), ("two", "here", 2), ("far", "there", 1))
)
EVERYBODY = {ONE.address, TWO.address, FAR.address}


@pytest.fixture
def task(make_folder: MakeTree) -> Task:
    return load_task(make_folder("spec", {"sample.yaml": SPEC}) / "sample.yaml")


@pytest.fixture
def with_jobs(task: Task, make_folder: MakeTree) -> Callable[..., None]:
    """Run a scene with the jobs of so many students."""

    def run(scene: Callable[[Jobs], Awaitable[None]], students: int) -> None:
        files = {f"student-{number}/work.py": "def one(): return 1\n" for number in range(students)}
        candidates = discover([make_folder("batch", files)], dict(task.modules))

        def read(job: MarkingJob) -> None:
            job.read(task, nothing_known)
            job.is_read.set()

        async def main() -> None:
            await asyncio.wait_for(scene(Jobs(task, candidates, read)), 30)

        asyncio.run(main())

    return run


async def nothing_for(jobs: Jobs, worker: Worker) -> bool:
    """Whether a worker has to wait."""
    try:
        await asyncio.wait_for(jobs.take(worker, EVERYBODY), 0.01)
    except TimeoutError:
        return True
    return False


def test_what_travels_is_the_work_and_not_where_it_was_found(with_jobs: Callable[..., None]) -> None:
    async def scene(jobs: Jobs) -> None:
        job = await jobs.take(ONE, EVERYBODY)
        (sent,) = pickle.loads(job.payload)
        assert (sent.id, sent.files["work"].text) == ("student-0", "def one(): return 1\n")
        assert sent.origin == Path()

    with_jobs(scene, 1)


def test_a_failed_submission_goes_to_somebody_else_and_is_given_up_in_the_end(
    with_jobs: Callable[..., None],
) -> None:
    async def scene(jobs: Jobs) -> None:
        job = await jobs.take(ONE, EVERYBODY)
        assert jobs.failed(job, ONE, "out of order") is None
        assert await nothing_for(jobs, ONE)
        assert await jobs.take(TWO, EVERYBODY) is job
        given_up = jobs.failed(job, TWO, "out of order too")
        assert given_up is not None
        assert given_up.result.status is Status.PENDING
        assert given_up.result.problems == ("internal error: out of order too",)
        assert jobs.left == 0

    with_jobs(scene, 1)


def test_where_there_is_nobody_else_the_same_worker_tries_again(with_jobs: Callable[..., None]) -> None:
    async def scene(jobs: Jobs) -> None:
        job = await jobs.take(ONE, {ONE.address})
        assert jobs.failed(job, ONE, "out of order") is None
        assert await jobs.take(ONE, {ONE.address}) is job

    with_jobs(scene, 1)


def test_a_submission_that_costs_worker_after_worker_is_given_up(with_jobs: Callable[..., None]) -> None:
    async def scene(jobs: Jobs) -> None:
        for _ in range(3):
            assert jobs.lost(await jobs.take(ONE, EVERYBODY)) is None
        given_up = jobs.lost(await jobs.take(ONE, EVERYBODY))
        assert given_up is not None
        assert given_up.result.status is Status.PENDING

    with_jobs(scene, 1)


def test_only_the_result_of_what_was_sent_is_taken(with_jobs: Callable[..., None], task: Task) -> None:
    async def scene(jobs: Jobs) -> None:
        job = await jobs.take(ONE, EVERYBODY)
        assert job.submission is not None

        def result(**changes: object) -> bytes:
            right = {
                "id": job.candidate.id,
                "name": job.candidate.name,
                "mark": Fraction(1),
                "max_mark": task.marks,
                "status": Status.MARKED,
                "sha256": job.submission.sha256 if job.submission else "",
                "content_sha256": job.submission.content_sha256 if job.submission else "",
            }
            return encode_marked(MarkedSubmission(SubmissionResult(**{**right, **changes})))  # type: ignore[arg-type]

        about = job.sha256.encode()
        assert jobs.checked(job, about, result()).result.mark == 1
        for wrong in (
            result(id="student-9"),
            result(name="another"),
            result(sha256="0" * 64),
            result(content_sha256="0" * 64),
            result(max_mark=Fraction(2)),
            b"",
            b"[]",
        ):
            with pytest.raises(Malformed):
                jobs.checked(job, about, wrong)
        with pytest.raises(Malformed):
            jobs.checked(job, b"0" * 64, result())

    with_jobs(scene, 1)


def test_a_result_of_a_group_has_that_of_each_member(task: Task, make_folder: MakeTree) -> None:
    found = discover([make_folder("batch", {"amy/work.py": "def one(): return 1\n"})], dict(task.modules))
    job = MarkingJob(replace(found[0], members=(replace(found[0], id="bob", name="bob"),)))
    job.read(task, nothing_known)
    assert [each.id for each in pickle.loads(job.payload)] == ["amy", "bob"]
    sent = job.submission
    assert sent is not None
    one = MarkedSubmission(
        SubmissionResult(
            id="amy",
            name="amy",
            mark=Fraction(1),
            max_mark=task.marks,
            status=Status.MARKED,
            sha256=sent.sha256,
            content_sha256=sent.content_sha256,
        )
    )
    bob = replace(one, result=replace(one.result, id="bob", name="bob"))

    async def taken(marked: MarkedSubmission) -> MarkedSubmission:
        return Jobs(task, [], print).checked(job, job.sha256.encode(), encode_marked(marked))

    assert asyncio.run(taken(replace(one, members=(bob,)))).members == (bob,)
    for members in ((), (one,), (bob, bob)):
        with pytest.raises(Malformed):
            asyncio.run(taken(replace(one, members=members)))
