"""A mutant near a time limit is caught on no machine or on each: time alone catches what needs far more."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from support.validating import task_of

from grader.model.validation import Mutant
from grader.plugins.validate.checks import mutation
from grader.plugins.validate.checks.mutation import Costs
from grader.plugins.validate.work.crew import PendingJob
from grader.plugins.validate.work.jobs import CasesJob

LOAD = (1.0, 1.4, 1.9)
"""So many times the CPU time of a quiet machine."""


@dataclass
class Machine:
    """Does jobs as a machine under some load would, where each case of a mutant needs so much CPU time."""

    need_s: float
    load: float
    tried: list[CasesJob] = field(default_factory=list)

    def begin_one(self, job: CasesJob) -> PendingJob:
        self.tried.append(job)
        return PendingJob(job, str(len(self.tried)))

    def results(self, stage: str, begun: Sequence[PendingJob]) -> list[Any]:
        return [self._result(one.job) for one in begun if isinstance(one.job, CasesJob)]

    def _result(self, job: CasesJob) -> dict[str, Any]:
        limits = {case: limit if job.patient else min(limit, 5.0) for case, limit in job.most_s}
        return {
            case: {"verdict": "time-limit" if self.need_s * self.load > limit else "accepted", "message": ""}
            for case, limit in limits.items()
        }


def caught(tmp_path, machine: Machine, reference_s: float = 0.01) -> bool:
    task = task_of(tmp_path)
    costs = Costs({case.id: reference_s for case in task.cases})
    mutant = Mutant(
        id="m", operator="o", module="work", function="largest", line=1, before="", after="", sources={}
    )
    reach = {("work", "largest"): frozenset({"largest"})}
    crew: Any = machine
    pairs = mutation.begin_mutants(crew, task, costs, [mutant], reach, only_cheap=False)
    return bool(mutation.kills(crew, task, pairs).caught["largest"])


@pytest.mark.parametrize("load", LOAD)
@pytest.mark.parametrize("need_s", [0.13, 0.2, 0.25, 0.3, 0.5])
def test_near_the_limit_the_load_decides_nothing(tmp_path, need_s, load) -> None:
    assert not caught(tmp_path, Machine(need_s, load))


@pytest.mark.parametrize("load", LOAD)
@pytest.mark.parametrize("need_s", [1.01, 3.0, float("inf")])
def test_what_needs_far_more_is_caught_at_any_load(tmp_path, need_s, load) -> None:
    assert caught(tmp_path, Machine(need_s, load))


def test_near_the_limit_of_the_spec_itself_too(tmp_path) -> None:
    near = [caught(tmp_path, Machine(4.0, load), reference_s=2.0) for load in LOAD]
    assert near == [False, False, False]


def test_what_fails_by_its_answer_is_not_tried_again(tmp_path) -> None:
    machine = Machine(0.1, 1.0)
    assert not caught(tmp_path, machine)
    assert len(machine.tried) == 1
