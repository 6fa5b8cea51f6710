"""Judges programs of an exercise twice, by its unittest and by its spec, and tells where the two differ."""

import json
import math
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.exercism import specs
from benchmarks.exercism.track import Exercise
from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.errors import UsageError
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.driver import Driver
from grader.validation.mutants import mutants_of

_MOST_LOOPING = 3
"""A mutant that loops in more tests than this is left out: each costs its time limit twice."""


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
    killed: the mutants that the unittest fails.  looping: those that were left out.
    not_said: the tests that a test file cannot run either, and why; nobody judges them twice.
    problem: why the exercise could not be tried at all.
    """

    name: str
    tests: int = 0
    ways: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)
    example: int = 0
    stub: int = 0
    mutants: int = 0
    killed: int = 0
    looping: int = 0
    verdicts: int = 0
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
                stuck = not_said(by_spec(marker, exercise, "example", exercise.example), said)
            if stuck:
                said = [specs.by_harness(exercise, folder, e) if e.test in stuck else e for e in said]
                task, said = specs.load(exercise, folder, said, limit_s)
            config = prepare_run(task, driver, "")
        except UsageError as error:
            report.problem = str(error)
            return report
        report.ways = dict(Counter(each.way for each in said))
        report.reasons = dict(Counter(each.reason for each in said if each.reason))
        found = mutants_of(task, 5 * most)
        texts = {each.sources[exercise.module] for each in found}
        every = mutants_of(specs.reading_all(exercise, folder), 5 * most) if len(found) < most else []
        found += [each for each in every if each.sources[exercise.module] not in texts]
        programs = {"example": (exercise.example, ""), "stub": (exercise.stub, "")}
        programs |= {
            each.id: (each.sources[exercise.module], f"{each.before} -> {each.after}") for each in found
        }
        with Marker(config) as marker:
            for program, (text, change) in programs.items():
                if change and report.mutants == most:
                    break
                theirs = by_unittest(exercise, text, limit_s)
                passed = sum(each.test in theirs and theirs[each.test][0] for each in said)
                if program == "example":
                    report.example = passed
                elif program == "stub":
                    report.stub = passed
                elif (
                    sum("status 9" in words or "status 2" in words for _, words, _ in theirs.values())
                    > _MOST_LOOPING
                ):
                    report.looping += 1
                    continue
                else:
                    report.mutants += 1
                    report.killed += passed < len(exercise.methods)
                ours = by_spec(marker, exercise, program, text)
                if program == "example":
                    report.not_said = not_said(ours, said)
                for number, each in enumerate(said, 1):
                    if each.test in report.not_said:
                        continue
                    passes, words, _ = theirs.get(each.test, (False, "the test file does not load", 0))
                    case = ours[number]
                    accepted = case.verdict is Verdict.ACCEPTED
                    report.verdicts += 1
                    if accepted != passes:
                        report.differences.append(
                            Difference(
                                program,
                                each.test,
                                passes,
                                accepted,
                                words,
                                case.message,
                                case.verdict.value,
                                change,
                            )
                        )
    return report


def not_said(ours: dict[int, CaseResult], said: list[specs.Said]) -> dict[str, str]:
    """Return the tests of which neither a test file nor a harness says anything of the example, and why."""
    results = ((each, ours[number]) for number, each in enumerate(said, 1))
    return {
        each.test: result.message
        for each, result in results
        if each.reason and result.verdict is Verdict.INTERNAL_ERROR
    }


def by_spec(marker: Marker, exercise: Exercise, program: str, text: str) -> dict[int, CaseResult]:
    """Return the result of each entry of the spec, by its number."""
    files = {exercise.module: SourceFile(f"{exercise.module}.py", text)}
    result = marker.mark(Submission("program", program, files)).result
    return {int(case.id.split(".")[1]): case for question in result.questions for case in question.cases}


def by_unittest(exercise: Exercise, text: str, limit_s: int) -> dict[str, tuple[bool, str, float]]:
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
