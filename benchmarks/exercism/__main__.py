"""Exercism's Python track as specs: is each exercise said, and is each program judged as by its own unittest?

    python -m benchmarks.exercism FOLDER [--only NAME ...] [--mutants 10] [-j 2] [--json FILE] [--keep FOLDER]

FOLDER: the folder `exercises` of a checkout of the track, github.com/exercism/python.

Turns each test method into a case of a spec: a call, steps, or steps with a checker.  A method that the spec
language cannot say runs by `pytest`, and by a harness where what it gives cannot cross to the program.  Then
judges the example solution, the stub, the programs in the exercise's articles and mutants of the example
twice, by the spec and by unittest, and compares the two for each test method.
Exit status 1: the two differ, the example is not accepted, or an exercise of `names.txt` is missing.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from benchmarks.exercism.judging import Report, as_json, judged
from benchmarks.exercism.track import Exercise, exercises, known_names
from grader.sandbox.driver import Driver

WAYS = ("call", "steps", "checker", "test file", "harness")
_LINE = "{:26} {:>5} " + "{:>9} " * 5 + "{:>7} {:>5} {:>8} {:>5} {:>8} {:>7} {:>7}"


def main() -> None:
    """Judge the exercises, and print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.exercism",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--mutants", type=int, default=10, metavar="N", help="the most of an exercise")
    parser.add_argument("-j", type=int, default=2, dest="jobs", metavar="N")
    parser.add_argument("--driver", type=Driver, default=Driver.NAMESPACES)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="a folder in which the specs stay")
    options = parser.parse_args()
    if not options.folder.is_dir():
        parser.error(f"there is no folder {options.folder}")
    found = exercises(options.folder, options.only)
    missing = [] if options.only else sorted({*known_names()} - {each.name for each in found})
    print(
        _LINE.format(
            "exercise", "tests", *WAYS, "example", "stub", "articles", "right", "mutants", "killed", "differ"
        )
    )
    reports = []
    for report in all_judged(found, options.jobs, (options.mutants, options.driver, options.keep)):
        tell(report)
        reports.append(report)
    reports.sort(key=lambda report: report.name)
    if options.json is not None:
        options.json.write_text(as_json(reports), "utf-8")
    right = summary(reports, missing)
    sys.exit(0 if right else 1)


def all_judged(found: list[Exercise], jobs: int, how: tuple[int, Driver, Path | None]) -> Iterator[Report]:
    """Yield what comes of each exercise, as soon as it is known."""
    if jobs == 1:
        yield from (judged(each, *how) for each in found)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for job in as_completed([pool.submit(judged, each, *how) for each in found]):
            yield job.result()


def tell(report: Report) -> None:
    """Print the line of an exercise, and what differs."""
    ways = [report.ways.get(way, 0) or "" for way in WAYS]
    print(
        _LINE.format(
            report.name,
            report.tests,
            *ways,
            report.example,
            report.stub,
            report.approaches or "",
            report.right or "",
            report.mutants,
            report.killed,
            len(report.differences) or "",
        )
    )
    if report.not_said:
        print(f"    {len(report.not_said)} tests not said")
        for words in dict.fromkeys(
            re.sub(r"^.*line \d+ of [^:]*: ", "", each) for each in report.not_said.values()
        ):
            print(f"        {words.rstrip(')')[:200]}")
    if report.problem:
        print(f"    not said: {report.problem}")
    for each in report.differences:
        words = (
            f"accepted, unittest: {each.theirs}"
            if each.accepted
            else f"unittest passes, ours: {each.verdict}: {each.ours}"
        )
        print(f"    {each.program} {each.test}: {words[:300]}")
        if each.change:
            print(f"        {each.change[:200]}")
    sys.stdout.flush()


def summary(reports: list[Report], missing: list[str]) -> bool:
    """Print the sums; return whether all is as it should be."""
    ways, reasons = Counter[str](), Counter[str]()
    where: dict[str, set[str]] = {}
    for report in reports:
        ways.update(report.ways)
        reasons.update(report.reasons)
        for reason in report.reasons:
            where.setdefault(reason, set()).add(report.name)
    tests = sum(report.tests for report in reports)
    print(f"\n{len(reports)} exercises, {tests} tests: " + ", ".join(f"{ways[way]} by {way}" for way in WAYS))
    unsaid = sum(len(report.not_said) for report in reports)
    print(f"{unsaid} said in none of these ways")
    print("by test file or harness, because of:")
    for reason, number in reasons.most_common():
        print(f"    {number:4} {reason} ({', '.join(sorted(where[reason])[:6])})")
    refused = [report.name for report in reports if report.problem]
    short = [report.name for report in reports if report.example < report.tests and not report.problem]
    differ = sum(len(report.differences) for report in reports)
    articles, right = sum(report.approaches for report in reports), sum(report.right for report in reports)
    print(f"{articles} programs of articles, {right} right")
    mutants, killed = sum(report.mutants for report in reports), sum(report.killed for report in reports)
    verdicts = sum(report.verdicts for report in reports)
    print(f"{mutants} mutants, {killed} killed; {verdicts} verdicts, {differ} differ")
    chance = sum(len(report.chance) for report in reports)
    print(f"{chance} more went away when unittest ran again: random numbers, or a busy machine")
    for words, names in (
        ("not said", refused),
        ("its own unittest fails the example", short),
        ("missing", missing),
    ):
        if names:
            print(f"{words}: {', '.join(names[:10])}{', …' if len(names) > 10 else ''}")
    return not (differ or unsaid or refused or missing or short)


if __name__ == "__main__":
    main()
