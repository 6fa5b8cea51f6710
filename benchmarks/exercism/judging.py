"""Judges programs of an exercise twice, by its unittest and by its spec, and tells where the two differ."""

import json
import math
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeAlias

from benchmarks.exercism import specs
from benchmarks.exercism.things import SEEDED
from benchmarks.exercism.track import Exercise
from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.errors import UsageError
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.model.task import Task
from grader.model.validation import Mutant
from grader.model.verdict import Verdict
from grader.plugins.validate.mutants import mutants_of
from grader.sandbox.driver import Driver

Passes: TypeAlias = dict[str, tuple[bool, str, float]]
"""Whether a test passes, why not, and its CPU seconds, by its name."""

_MOST_LOOPING = 3
_ROUNDS = 8
_NOT_LOADED = (False, "the test file does not load", 0.0)


@dataclass
class Difference:
    """A test about which the two judge differently.  theirs, ours: the words of each."""

    program: str
    test: str
    passes: bool
    accepted: bool
    theirs: str
    ours: str
    verdict: str
    change: str = ""


@dataclass
class Report:
    """What came of one exercise.

    ways: how many tests are said in which way.  reasons: why tests are said by the test file.
    example, stub: the tests that each passes by unittest.
    approaches: the programs of the exercise's articles.  right: those that pass all tests by unittest.
    killed: the mutants that the unittest fails.  looping: those that were left out.
    chance: differences that went away when the unittest ran again: by random numbers, or a busy machine.
    not_said: the tests that neither a test file nor a harness can run, and why.
    problem: why the exercise could not be tried at all.
    """

    name: str
    tests: int = 0
    ways: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    example: int = 0
    stub: int = 0
    approaches: int = 0
    right: int = 0
    mutants: int = 0
    killed: int = 0
    looping: int = 0
    verdicts: int = 0
    chance: list[Difference] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    not_said: dict[str, str] = field(default_factory=dict)
    problem: str = ""


def judged(exercise: Exercise, most: int, driver: Driver, keep: Path | None = None) -> Report:
    """Return what comes of the example, the stub and some mutants.

    most: the greatest number of mutants.  keep: a folder in which the spec stays.
    """
    report = Report(exercise.name, len(exercise.methods))
    with tempfile.TemporaryDirectory() as name:
        folder = (keep if keep is not None else Path(name)) / exercise.name
        slowest_s = max(cpu_s for _, _, cpu_s in by_unittest(exercise, exercise.example, 20).values())
        limit_s = max(1, math.ceil(3 * slowest_s))
        try:
            task, said = specs.write(exercise, folder, limit_s)
            with Marker(prepare_run(task, driver, "")) as marker:
                stuck = {*not_said(by_spec(marker, exercise, "example", exercise.example), said)}
            stuck |= {each.test for each in said if each.reason == SEEDED}
            if stuck:
                said = [specs.by_harness(exercise, folder, e) if e.test in stuck else e for e in said]
                task, said = specs.load(exercise, folder, said, limit_s)
            config = prepare_run(task, driver, "")
        except UsageError as error:
            report.problem = str(error)
            return report
        report.ways = dict(Counter(each.way for each in said))
        report.reasons = dict(Counter(each.reason for each in said if each.reason))
        with Marker(config) as marker:
            judge = _Judge(exercise, said, limit_s, marker, report)
            report.not_said = not_said(by_spec(marker, exercise, "example", exercise.example), said)
            report.example = judge.compare("example", exercise.example)
            report.stub = judge.compare("stub", exercise.stub)
            for number, text in enumerate(exercise.approaches, 1):
                judge.compare_article(f"article {number}", text)
            for mutant in mutants(exercise, folder, task, most):
                if report.mutants == most:
                    break
                judge.compare_mutant(mutant)
    return report


def mutants(exercise: Exercise, folder: Path, task: Task, most: int) -> list[Mutant]:
    """Return mutants of the example; more than the wanted number, because some are left out."""
    found = mutants_of(task, 5 * most)
    if len(found) < most:
        # Of what test files and harnesses call, the task knows nothing.
        found += mutants_of(specs.reading_all(exercise, folder), 5 * most)
    texts = {each.sources[exercise.module]: each for each in reversed(found)}
    texts.pop(exercise.example, None)
    return [*reversed(texts.values())]


@dataclass
class _Judge:
    """Compares the verdicts on one program after the other."""

    exercise: Exercise
    said: list[specs.Said]
    limit_s: int
    marker: Marker
    report: Report

    def compare_article(self, program: str, text: str) -> None:
        """Compare a program of an article, unless it lacks a name that the tests import.

        Such a program fails all tests of a unittest file, and here only the cases that use the name.
        """
        theirs = by_unittest(self.exercise, text, self.limit_s)
        if theirs:
            self.report.right += self.compare(program, text, theirs=theirs) == len(self.said)
            self.report.approaches += 1

    def compare_mutant(self, mutant: Mutant) -> None:
        """Compare a mutant, unless it loops in many tests: each costs its time limit twice."""
        text = mutant.sources[self.exercise.module]
        theirs = by_unittest(self.exercise, text, self.limit_s)
        if sum("the process ended" in words for _, words, _ in theirs.values()) > _MOST_LOOPING:
            self.report.looping += 1
            return
        passed = self.compare(mutant.id, text, f"{mutant.before} -> {mutant.after}", theirs)
        self.report.mutants += 1
        self.report.killed += passed < len(self.said)

    def compare(self, program: str, text: str, change: str = "", theirs: Passes | None = None) -> int:
        """Note where the two judge differently; return how many tests the program passes by unittest."""
        theirs = theirs if theirs is not None else by_unittest(self.exercise, text, self.limit_s)
        ours = by_spec(self.marker, self.exercise, program, text)
        differences = []
        for number, each in enumerate(self.said, 1):
            if each.test in self.report.not_said:
                continue
            passes, words, _ = theirs.get(each.test, _NOT_LOADED)
            case = ours[number]
            accepted = case.verdict is Verdict.ACCEPTED
            self.report.verdicts += 1
            if accepted != passes:
                verdict = case.verdict.value
                differences.append(
                    Difference(program, each.test, passes, accepted, words, case.message, verdict, change)
                )
        self.report.differences += self._steady(text, differences)
        return sum(theirs.get(each.test, _NOT_LOADED)[0] for each in self.said)

    def _steady(self, text: str, differences: list[Difference]) -> list[Difference]:
        """Return the differences that stay: a program may draw numbers, and unittest seeds nothing."""
        left = differences
        for _ in range(_ROUNDS if differences else 0):
            theirs = by_unittest(self.exercise, text, self.limit_s)
            left = [each for each in left if theirs.get(each.test, _NOT_LOADED)[0] == each.passes]
        self.report.chance += [each for each in differences if each not in left]
        return left


def not_said(ours: dict[int, CaseResult], said: list[specs.Said]) -> dict[str, str]:
    """Return the tests of which neither a test file nor a harness says anything of the example, and why."""
    results = ((each, ours[number]) for number, each in enumerate(said, 1))
    return {
        each.test: result.message
        for each, result in results
        if each.reason and result.verdict is not Verdict.ACCEPTED
    }


def by_spec(marker: Marker, exercise: Exercise, program: str, text: str) -> dict[int, CaseResult]:
    """Return the result of each entry of the spec, by its number."""
    texts = {exercise.module: text} | exercise.given
    files = {name: SourceFile(f"{name}.py", each) for name, each in texts.items()}
    result = marker.mark(Submission("program", program, files)).result
    return {int(case.id.split(".")[1]): case for question in result.questions for case in question.cases}


def by_unittest(exercise: Exercise, text: str, limit_s: int) -> Passes:
    """Return which tests a program passes, why not, and their CPU seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in (exercise.tests, *exercise.helpers):
            (folder / file.name).write_bytes(file.read_bytes())
        (folder / f"{exercise.module}.py").write_text(text, "utf-8")
        script = Path(__file__).with_name("their_tests.py")
        command = [sys.executable, "-I", str(script), name, exercise.tests.stem, str(limit_s)]
        output = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
        ).stdout
    return {
        test: (passes, words, cpu_s) for test, (passes, words, cpu_s) in json.loads(output or "{}").items()
    }


def as_json(reports: list[Report]) -> str:
    return json.dumps([asdict(report) for report in reports], indent=1)
