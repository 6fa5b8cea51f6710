"""Problem packages of Kattis, DOMjudge, BAPCtools and DMOJ, converted and run: the results that they declare?

    python benchmarks/problem_packages.py CLONE...

CLONE: git clones of Kattis/problemtools (MIT), DOMjudge/domjudge (GPL 2), DMOJ/judge-server (AGPL 3) and
RagnarGrootKoerkamp/BAPCtools (GPL 3), read at the commits named here.  Nothing of them is a part of this
project.  Each package becomes a spec by `grader convert --run-generators`; `grader try` marks the programs
that come with it.  DMOJ's programs lie in its test suite, with the verdicts that they must get.

Prints a line for each package, with its tests that are said, its programs, and those whose result is another
than declared; then what cannot be said, and why.  Exits with 1 if a result differs without an explanation.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import yaml

COMMITS = {
    "problemtools": ("a185fe9741dd28ba838a7bd21ab98b11211f6521", "examples", "problem-package"),
    "domjudge": ("a023fd3ec375f6baec9a1293dfd2ba12c76a51b2", "example_problems", "problem-package"),
    "domjudge-scoring": (
        "a023fd3ec375f6baec9a1293dfd2ba12c76a51b2",
        "example_scoring_problems",
        "problem-package",
    ),
    "BAPCtools": ("b6e8c800a23dbc8a99f2455fa54c49e2264cc6de", "test/problems", "problem-package"),
    "judge-server": ("3ea44acaf9cd801eca3354d373095f260b44a4fc", "testsuite", "dmoj"),
}
"""By corpus: the commit, the folder of its packages, and the tool that `grader convert` is told."""
EXPLAINED = {
    "java-big": "the problem's `hints` forbid classes of Java's, which is not read",
    "grace": "its limit of 1 KiB of memory stands in DMOJ's test, not in the problem",
    "java-unsafe": "DMOJ forbids `sun.misc.Unsafe`, by which it takes memory beside its heap",
    "no-public-class": "DMOJ refuses a program of Java without a public class",
    "PY2": "this is Python 2",
    "bridged-interactor/java-ac": "DMOJ takes a public class of another name than its file has",
    "seed2/java-ac": "DMOJ takes a public class of another name than its file has",
    "noflush/cpp-ac": "the interactor keeps what it says in a buffer, and DMOJ gives it none",
    "eof-py": "the interactor closes its output, which is not seen here before it ends",
    "read-py": "the interactor says more than 1 MiB",
    "memory-limit": "the compiler leaves out the memory that is never used",
    "alternativeencryption": "its generator writes a flag that its validator needs",
    "-bad-": "a program of BAPCtools' own tests that is declared wrongly, so that the tool tells it",
}
"""By a part of a program's name, after that of its package, why its result is another one."""
FAULTY = frozenset(
    {
        "bridged_checker_not_contrib_module",
        "bridged_interactor_not_contrib_module",
        "generator_test_ce",
        "generator_test_invalid_config",
        "generator_test_mle",
        "generator_test_sandbox",
        "generator_test_tle",
        "testproblemconfig",
    }
)
"""Packages that are wrong on purpose, so that their own tool says an error: they count apart."""
_DMOJ = {"PY3": "main.py", "PY2": "main.py", "C": "main.c", "C11": "main.c", "CPP11": "main.cpp", "JAVA8": ""}
_ACCEPTED = "accepted"


def main() -> int:
    """Convert, run and compare; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clones", type=Path, nargs="+", metavar="CLONE")
    parser.add_argument("--only", default="", metavar="NAME", help="packages whose names begin so")
    given = parser.parse_args()
    left: dict[str, int] = {}
    programs = surprises = said = faulty = 0
    with tempfile.TemporaryDirectory() as folder:
        for package, tool in packages(given.clones, Path(folder)):
            if not package.name.startswith(given.only):
                continue
            spec = Path(folder, "spec.yaml")
            shutil.rmtree(spec.with_suffix(""), ignore_errors=True)
            spec.unlink(missing_ok=True)
            done = command(
                "convert", package, "--from", tool, "-o", spec, "--module", "main", "--run-generators"
            )
            if "Traceback" in done.stderr:
                sys.exit(f"{package}: {done.stderr}")
            if done.returncode:
                told = next(line for line in done.stderr.splitlines() if line.startswith("error: "))
                reason = done.stderr.partition("left out: ")[2].partition("\n")[0] or told.rpartition(": ")[2]
                if package.name in FAULTY:
                    faulty += 1
                    print(f"{package.name:28} not said, and its own tool does not run it: {reason}")
                    continue
                left[reason] = left.get(reason, 0) + 1
                print(f"{package.name:28} not said: {reason}")
                continue
            said += 1
            found = dict(tried(spec, package) if tool == "dmoj" else declared(spec))
            unlike = [name for name, text in found.items() if text]
            programs += len(found)
            converted = re.search(r"\d+ of \d+ \w+", done.stderr)
            print(
                f"{package.name:28} {converted[0] if converted else '':16} {len(found):3} programs", *unlike
            )
            for name in unlike:
                whole = f"{package.name}/{name}".replace("_", "-")
                why = next((text for part, text in EXPLAINED.items() if part in whole), "")
                print(f"    {name}: {why or found[name]}")
                surprises += not why
    for reason, number in sorted(left.items(), key=lambda pair: -pair[1]):
        print(f"{number:4} packages not said: {reason}")
    print(
        f"{said} packages said, {sum(left.values())} not, {faulty} that no tool runs; "
        f"{programs} programs, {surprises} unlike"
    )
    return 1 if surprises else 0


def packages(clones: list[Path], folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield the folders of all packages, and the tool of each."""
    for clone in clones:
        for corpus, (commit, path, tool) in COMMITS.items():
            if subprocess.run(["git", "-C", clone, "cat-file", "-e", commit], capture_output=True).returncode:
                continue
            root = folder / corpus
            entries = run("git", "-C", clone, "ls-tree", "-r", "-z", commit, path).split(b"\0")
            for mode, _, digest, name in (re.split(rb"[ \t]", each, maxsplit=3) for each in entries if each):
                blob = ["git", "-C", str(clone), "cat-file", "blob", digest.decode()]
                content = subprocess.run(blob, capture_output=True)
                target = root / os.fsdecode(name)
                target.parent.mkdir(parents=True, exist_ok=True)
                if mode == b"120000":
                    target.symlink_to(os.fsdecode(content.stdout))
                elif not content.returncode:
                    target.write_bytes(content.stdout)
            marker = "init.yml" if tool == "dmoj" else "problem.yaml"
            # Below a package of DMOJ's, a test of its suite can have a file of this name.
            found = root.glob(f"*/*/{marker}") if tool == "dmoj" else root.rglob(marker)
            yield from ((each.parent, tool) for each in sorted(found))


def run(*words: object) -> bytes:
    return subprocess.run([*map(str, words)], check=True, capture_output=True).stdout


def command(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grader", *map(str, words)], capture_output=True, text=True, check=False
    )


def declared(spec: Path) -> Iterator[tuple[str, str]]:
    """Yield each program beside a spec, and how its result differs from the declared one; "" if not."""
    names = [each.name for side in ("right", "wrong") for each in (spec.with_suffix("") / side).glob("*/")]
    done = command("try", spec)
    for name in names:
        told = [line for line in done.stdout.splitlines() if f"/{name} " in line and " is " in line]
        yield name, told[0].partition(f"/{name} ")[2] if told else ""


def tried(spec: Path, package: Path) -> Iterator[tuple[str, str]]:
    """Yield each program of DMOJ's test suite, and how its cases differ from the verdicts that it states."""
    for test in sorted((package / "tests").glob("*/test.yml")):
        about = yaml.safe_load(test.read_text())
        if about.get("language") not in _DMOJ or not isinstance(about.get("source"), str):
            continue
        work = spec.parent / "work" / "student-01"
        shutil.rmtree(work.parent, ignore_errors=True)
        work.mkdir(parents=True)
        name = _DMOJ[about["language"]] or about["source"]
        shutil.copy(test.parent / about["source"], work / name)
        text = spec.read_text()
        if "toolchains" not in text:
            spec.write_text(text.replace("\nmodules:", "\ntoolchains: [c, c++, java]\nmodules:", 1))
        command("mark", spec, work.parent, "-o", spec.parent / "out", "--no-cache")
        results = json.loads((spec.parent / "out" / "results.json").read_text())
        shutil.rmtree(spec.parent / "out")
        questions = results["submissions"][0]["questions"]
        right = all(case["verdict"] == _ACCEPTED for each in questions for case in each["cases"])
        wanted = about.get("expect", "AC" if set(about.get("cases", ())) <= {"AC"} else "WA")
        unlike = (wanted == "AC") != right
        mark, points = results["submissions"][0]["mark"], about.get("score", about.get("points"))
        if points is not None:
            wanted, right, unlike = points, mark, Fraction(mark or 0) != points
        name = f"{test.parent.name} (PY2)" if about["language"] == "PY2" else test.parent.name
        yield name, f"declared {wanted}, here {right}" if unlike else ""


if __name__ == "__main__":
    sys.exit(main())
