"""The work of a validation, in pieces that processes do and that an earlier run may have done.

A result is made of the types that JSON has, so that it can be kept in a file.  It depends on what the job's
`about` returns, and on our code and the sandbox, and on nothing else.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from grader.authoring.programs import with_short_limits
from grader.engine.run_config import RunConfig
from grader.engine.self_check import with_cases
from grader.model.results import CaseResult, TaskHead
from grader.model.submission import Submission
from grader.model.task import Task
from grader.model.validation import Distinction, Mutant
from grader.plugins.validate.mutants import mutants_of
from grader.plugins.validate.odd_answers import try_checker
from grader.plugins.validate.search import Search
from grader.plugins.validate.secrets import planted, secrets_told
from grader.plugins.validate.trial import ProgramTrials, reference_program

Result = Any
"""The result of a job, of the types that JSON has."""

_MESSAGE_LENGTH = 300
_LOOP = """
import os, sys

while os.getppid() == int(sys.argv[1]):
    sum(range(100_000))
"""


class JobContext:
    """The tools of a process for its jobs: trials, by the seeds that they run with."""

    def __init__(self, config: RunConfig) -> None:
        self.config = config
        self._search: Search | None = None
        self._trials: dict[tuple[int, int], ProgramTrials] = {}

    def trials(self, seed: int = 0, hash_seed: int = 0) -> ProgramTrials:
        """Return trials with a random seed, given as an offset from the spec's, and a hash seed."""
        key = seed, hash_seed
        if key not in self._trials:
            task = replace(self.config.task, seed=self.config.task.seed + seed)
            self._trials[key] = ProgramTrials(replace(self.config, task=task), hash_seed)
        return self._trials[key]

    def search(self) -> Search:
        """Return a search that keeps what it learns of the reference."""
        if self._search is None:
            self._search = Search(self.trials().tools, self.config.task)
        return self._search

    def close(self) -> None:
        if self._search is not None:
            self._search.close()
        for trials in self._trials.values():
            trials.close()
        self._trials.clear()


class Job(Protocol):
    """One piece of work."""

    def about(self, task: Task) -> Sequence[object]:
        """Return what the result depends on, as values whose `repr` tells them apart."""

    def run(self, bench: JobContext) -> Result:
        """Do the work.  Raises `SandboxFailure`."""


def _own_code(task: Task) -> tuple[object, ...]:
    """Return what every verdict of a task depends on, apart from its cases."""
    texts = [
        sorted(code.texts.items()) if code is not None else [] for code in (task.reference, task.checkers)
    ]
    return (*texts, task.types, task.packages, task.modules, task.seed)


def _asked(task: Task) -> tuple[object, ...]:
    """Return the spec, and what of it is asked: without a package, some questions and rules are not."""
    return task.spec_sha256, [question.id for question in task.questions], len(task.rules)


@dataclass(frozen=True, slots=True)
class ProgramJob:
    """Mark a program by the whole task, and look at what its student would see.

    slow: cases with a short time limit, since they are declared to meet it.
    longest_s: leave out cases with a longer time limit; 0 for none.
    """

    submission: Submission
    slow: frozenset[str] = frozenset()
    longest_s: float = 0.0

    def about(self, task: Task) -> Sequence[object]:
        files = sorted((name, file.text) for name, file in self.submission.files.items())
        return "marking", *_asked(task), files, sorted(self.slow), self.longest_s

    def run(self, bench: JobContext) -> Result:
        task = bench.config.task
        if self.longest_s:
            task = with_cases(task, lambda case: case.limits.time_s <= self.longest_s)
        result = bench.trials().mark(self.submission, with_short_limits(planted(task), self.slow))
        secrets = secrets_told(TaskHead.of(task), result)
        return {"marked": result_facts(result), "secrets": secrets}


def result_facts(result: Any) -> Result:
    """Return what the checks need of a program's result."""
    return {
        "mark": str(result.mark),
        "status": str(result.status),
        "late_s": result.late_s,
        "penalties": [[one.reason, str(one.amount)] for one in result.penalties],
        "questions": {question.id: str(question.mark) for question in result.questions},
        "cases": {case.id: facts(case) for question in result.questions for case in question.cases},
    }


def facts(case: CaseResult) -> Result:
    """Return what the checks need of a case's result."""
    return {
        "verdict": str(case.verdict),
        "cpu_s": case.cpu_s,
        "wall_s": case.wall_s,
        "peak_rss_b": case.peak_rss_b,
        "output_b": len(case.stdout) + len(case.stderr),
        "message": case.message[:_MESSAGE_LENGTH],
        "actual": case.actual[:_MESSAGE_LENGTH],
        "expected": case.expected[:_MESSAGE_LENGTH],
    }


@dataclass(frozen=True, slots=True)
class CasesJob:
    """Run a program against cases; see `trial.Part`.

    sources: by module.  seed, hash_seed: see `JobContext.trials`.  load: so many processes loop meanwhile.
    """

    sources: tuple[tuple[str, str], ...]
    cases: tuple[str, ...]
    most_s: tuple[tuple[str, float], ...] = ()
    stops: bool = False
    patient: bool = False
    seed: int = 0
    hash_seed: int = 0
    load: int = 0

    def about(self, task: Task) -> Sequence[object]:
        # Not the shorter limits: they come from measured times, and differ a little from run to run.
        wanted = set(self.cases)
        cases = [case for case in task.cases if case.id in wanted]
        seeds = self.seed, self.hash_seed, self.load, self.stops, self.patient
        return "trying", self.sources, self.cases, cases, *seeds, *_own_code(task)

    def run(self, bench: JobContext) -> Result:
        trials = bench.trials(self.seed, self.hash_seed)
        with _busy(self.load):
            results = trials.run(
                dict(self.sources), self.cases, dict(self.most_s), stops=self.stops, patient=self.patient
            )
        return {name: facts(case) for name, case in results.items()}


@contextmanager
def _busy(processes: int) -> Iterator[None]:
    """Keep the machine busy with processes that loop, while the context is open."""
    loops = [subprocess.Popen([sys.executable, "-c", _LOOP, str(os.getpid())]) for _ in range(processes)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@dataclass(frozen=True, slots=True)
class CheckerJob:
    """Try a checker of a case on odd answers; see `try_checker`."""

    case: str
    step: int
    others: tuple[str, ...]
    large: bool = True

    def about(self, task: Task) -> Sequence[object]:
        wanted = {self.case, *self.others}
        return (
            "checking",
            self.case,
            self.step,
            self.large,
            [case for case in task.cases if case.id in wanted],
            *_own_code(task),
        )

    def run(self, bench: JobContext) -> Result:
        oracle = bench.trials().tools.oracle
        return try_checker(bench.config.task, oracle, self.case, self.step, self.others, large=self.large)


@dataclass(frozen=True, slots=True)
class MutantsJob:
    """Make the mutants of the reference; see `mutants_of`.

    most: the greatest number of them.  The result has the names of all.
    """

    most: int

    def about(self, task: Task) -> Sequence[object]:
        return "listing", self.most, *_asked(task)

    def run(self, bench: JobContext) -> Result:
        task = bench.config.task
        found = mutants_of(task, sys.maxsize)
        tried = [_without_reference(mutant, reference_program(task)) for mutant in found[: self.most]]
        return {"mutants": tried, "ids": [mutant.id for mutant in found]}


def _without_reference(mutant: Mutant, reference: Mapping[str, str]) -> Result:
    """Return a mutant with the names of all its modules, but the texts of those alone that are changed."""
    changed = {name: text for name, text in mutant.sources.items() if reference.get(name) != text}
    return asdict(mutant) | {"sources": changed, "same": sorted(mutant.sources.keys() - changed.keys())}


def listed_mutants(task: Task, listed: Result) -> list[Mutant]:
    """Return the mutants that `MutantsJob` made."""
    reference = reference_program(task)
    found = []
    for one in listed["mutants"]:
        sources = {name: reference[name] for name in one["same"]} | one["sources"]
        found.append(Mutant(**({k: v for k, v in one.items() if k != "same"} | {"sources": sources})))
    return found


@dataclass(frozen=True, slots=True)
class SearchJob:
    """Search an input of a question for which a mutant differs from the reference."""

    mutant: Mutant
    question: str
    share_s: float

    def about(self, task: Task) -> Sequence[object]:
        (question,) = (each for each in task.questions if each.id == self.question)
        sources = sorted(self.mutant.sources.items())
        return "searching", sources, question, self.share_s, *_own_code(task)

    def run(self, bench: JobContext) -> Result:
        task = bench.config.task
        (question,) = (each for each in task.questions if each.id == self.question)
        found = bench.search().distinguish(
            question, self.mutant.sources, self.share_s, by_heart=self.mutant.is_by_heart
        )
        return {"found": asdict(found)} if isinstance(found, Distinction) else asdict(found)
