"""The commands of pages that rest on a batch which another page shows, or none.

`BASES` has what is there before, and what a page says of the outcome; `LEFT_OUT` what is not run, and why.
"""

import glob
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

import pytest
from support.command_line import Done, environment, grader
from support.reviewing import served
from support.terminal import at_terminal
from support.typed_session import files_of, typed, write

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LEFT_OUT = {
    "pip": "it installs from an index; `test_claims` looks up the extra",
    "java": "JPlag comes from the network",
    "dolos": "it comes from the network",
    "compare50": "it comes from the network",
}


def text_of(page: str) -> str:
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


WORDS = files_of(text_of("start/instructor"))
SUMS = files_of((ROOT / "tests/golden/case_pages/rules.md").read_text(encoding="utf-8"))
LEAP, WORK = (files_of(text_of("ci"))[name] for name in ("leap.yaml", "src/leap.py"))
ESSAYS = {f"submissions/{who}/work.py": f"# {who}\n" for who in ("student-01", "student-02")}
WORKSHEET = """\
Identifier,Full name,Email address,Status,Grade,Maximum grade,Last modified (grade),Feedback comments
Participant 7001,Ada Lovelace,ada@example.edu,Submitted for grading,,3,-,
"""
PARTICIPANTS = """\
First name,Surname,Email address
Ada,Lovelace,ada@example.edu
Nobody,Nothing,nobody@example.edu
John,Smith,john@example.edu
Kim,Lee,kim@example.edu
"""


@dataclass(frozen=True)
class Base:
    """first: the arguments of a `grader` that ran before.  status: of all commands of the page.

    told: a pattern for what the page has of the output.  after: texts that stand in files then.
    """

    files: Mapping[str, str]
    first: str = ""
    status: int = 0
    told: str = ""
    after: Mapping[str, str] = field(default_factory=dict)


BASES = {
    "exports": Base(
        {**WORDS, "worksheet.csv": WORKSHEET, "handout/words.py": "def initials(name):\n    pass\n"},
        "mark words.yaml submissions",
        after={
            "reports/words/exports/moodle.csv": "Ada Lovelace,ada@example.edu,Submitted for grading,3,3,",
            "reports/words/exports/moodle-feedback.zip": "",
        },
    ),
    "cases/manual": Base(
        {"essay.yaml": files_of(text_of("cases/manual"))["essay.yaml"], **ESSAYS},
        "mark essay.yaml submissions",
        after={"opened": "http://127.0.0.1", "reviews/essay.yaml": 'comment: "Well drawn."'},
    ),
    "instead": Base(
        {
            "leap.yaml": LEAP,
            "submissions/student-05/leap.py": WORK.replace("):", ")"),
            "mended/leap.py": WORK,
        },
        after={"reports/leap/students/student-05.html": "a colon was missing"},
    ),
    "people": Base(
        {
            "words.yaml": WORDS["words.yaml"],
            "reference/words.py": WORDS["reference/words.py"],
            "submissions/Ada Lovelace_7001_assignsubmission_file/words.py": WORDS["submissions/ada/words.py"],
            "submissions/Jon Smith_7044_assignsubmission_file/words.py": WORDS["submissions/bo/words.py"],
            "roster.csv": PARTICIPANTS,
            "times.csv": "student,submitted\nmoodle-7001,2026-11-20T12:00:00Z\n",
        },
        "mark words.yaml submissions --times times.csv",
        status=5,
        told=r"^```text\n(note: .*?)^```",
    ),
    "cases/rules": Base({**SUMS, "submissions/student-01/sums.py": SUMS["sums.py"]}, status=1),
    "pytest-plugin": Base(
        {"specs/leap.yaml": LEAP, "submissions/leap/student-04/leap.py": WORK},
        status=1,
        told=r"`(specs/[^`]+::[^`]+)`",
    ),
}
LONG = {"cases/manual", "pytest-plugin"}


def run(command: str, folder: Path) -> Done:
    name, *words = shlex.split(command, comments=True)
    if name in LEFT_OUT:
        assert all(glob.glob(word, root_dir=folder) for word in words if re.search(r"\w/", word)), command
        return Done(command, 0, "", "")
    if name == "pytest":
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words],
            cwd=folder,
            env=environment(PYTEST_ADDOPTS=""),
            capture_output=True,
            text=True,
        )
    assert name == "grader", command
    if "--from" in words:
        return taken_back(words, folder)
    if words[0] == "review" and "--to" not in words:
        with served(*words, cwd=folder, BROWSER="sh -c 'echo %s > opened'") as page:
            assert page.get("")[0] == 200
        return Done(command, page.process.returncode, "", "")
    return grader(*words, cwd=folder)


def taken_back(words: list[str], folder: Path) -> Done:
    """Mark in the sheet, and answer what is asked about the changes."""
    sheet = folder / words[-1]
    sheet.write_text(
        sheet.read_text("utf-8").replace(",student-01,,,", ",student-01,2,Well drawn.,", 1), "utf-8"
    )
    status, said = at_terminal(*words, cwd=folder, answer="y\n")
    assert "Take these changes?" in said, said
    return Done(words, status, "", said)


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=pytest.mark.acceptance) if page in LONG else page for page in BASES]
)
def test_commands_do_what_their_page_says(page: str, tmp_path: Path) -> None:
    base, text, told = BASES[page], text_of(page), ""
    write(base.files, tmp_path)
    if base.first:
        assert grader(*base.first.split(), cwd=tmp_path).returncode == 0

    def one(command: str, folder: Path, _: int) -> tuple[str, int]:
        nonlocal told
        done = run(command, folder)
        told += done.stdout + done.stderr
        assert done.returncode == base.status, told
        return done.stdout, done.returncode

    for each in typed(text, tmp_path, one):
        assert each.is_as_shown or not each.shown, each.printed
    parts = re.findall(base.told, text, re.DOTALL | re.MULTILINE) if base.told else [""]
    assert parts
    assert [part for part in parts if part not in told] == []
    for path, part in base.after.items():
        assert part.encode() in (tmp_path / path).read_bytes(), path


OTHERS = {
    "authoring": "test_authoring_page",
    "cluster": "cluster/test_page",
    "library": "test_library",
    "testing": "the test below",
    **dict.fromkeys(("ci", "course", "students", "start/*", "coming-from/*"), "test_typed_pages"),
}
"""Pages that are typed in elsewhere."""


def test_every_page_with_commands_is_typed_in() -> None:
    texts = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in DOCS.rglob("*.md")}
    pages = {name[:-3]: text for name, text in texts.items() if "\n```console\n" in text}
    assert [page for page in pages if not any(fnmatch(page, one) for one in (*BASES, *OTHERS))] == []
    # What has no sign of a prompt would be left out without a word.
    assert [page for page, text in pages.items() if re.search(r"```console\n(?!\$ )", text)] == []
    assert [name for name in LEFT_OUT if not any(f"\n$ {name} " in text for text in pages.values())] == []


# -- the page on the tests themselves ----------------------------------------------------------------------

MADE = {
    "test": ("ruff check", "mypy", "lint-imports", 'pytest --dist worksteal -n 3 -m "not acceptance"'),
    "acceptance": ("-m acceptance",),
    "docs": ("sphinx", " -W ", " docs build/docs"),
    "lint": ("ruff check", "mypy", "lint-imports"),
    "rehearsal": (".ci/release.py --rehearse",),
}
"""What make would run for each target."""
SUITE = {
    '.venv/bin/python -m pytest -n 3 -m "not acceptance" --durations=30',
    'python -m pytest -m "portable and not acceptance"',
    ".ci/run",
}
"""Commands that are left out, since they run this test again."""


@pytest.mark.acceptance
def test_commands_of_the_page_on_tests(tmp_path: Path) -> None:
    left_out = set()

    def one(command: str, folder: Path, _: int) -> tuple[str, int]:
        name, *words = shlex.split(command, comments=True)
        if name == "make":
            dry = in_the_checkout("make", "-n", *words)
            assert [part for part in MADE[words[0]] if part not in dry] == []
        elif (written := re.sub(r"\s+# .*", "", command)) in SUITE:
            left_out.add(written)
        else:
            assert name == ".venv/bin/python"
            assert " passed" in in_the_checkout(sys.executable, *words, "-p", "no:cacheprovider")
        return "", 0

    assert len([*typed(text_of("testing"), tmp_path, one)]) == len(MADE) + len(SUITE) + 2
    assert left_out == SUITE
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111


def in_the_checkout(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
