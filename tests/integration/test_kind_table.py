"""What each consumer does with each kind of case: an answer, or a refusal by name.

A row of `ROWS` is a kind, its fields are the consumers that differ; a kind without a row fails.  One spec
holds all rows, so that a consumer costs one run.  `make test` has some rows; `validate` has a table of its own.
"""
# ruff: noqa: E501  # A row of a table stands on one line.

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.command_line import Done, grader, reproducible, results
from support.installed import needs
from support.kind_rows import (
    ACCEPTED,
    CASES,
    FORMS,
    MARKS,
    NO_CALL,
    NO_CASE,
    OTHERWISE,
    PERSON,
    PUBLIC,
    READS,
    ROWS,
    SHEET,
    WRONG,
    Work,
    fits,
    says,
    write_work,
)
from support.rows import first_of
from support.smallest import KINDS, write_kinds

from grader.cli.commands.export import FORMATS
from grader.registry.groups import Group
from grader.registry.registry import registry
from grader.spec import load_task
from grader.store.schema import results_schema

needs("pandas", "matplotlib")

SOME = (
    "call",
    "raises",
    "prints",
    "watched",
    "scenario",
    "exit",
    "plot",
    "rule",
    "given",
    "test-file",
    "manual",
)
EVERY = tuple(KINDS)
REVIEWS = "".join(
    f"- {{student: {work}, by: A. Marker, criteria: {{manual.words: {{marks: {marks}}}}}}}\n"
    for work, marks in (("right", 1), ("wrong", 0))
)
"""The third work awaits its person."""

of_some = pytest.mark.parametrize(
    "run",
    [pytest.param(SOME, id="some"), pytest.param(EVERY, id="all", marks=pytest.mark.acceptance)],
    indirect=True,
)
of_all = pytest.mark.parametrize(
    "run", [pytest.param(EVERY, id="all", marks=pytest.mark.acceptance)], indirect=True
)


@dataclass(frozen=True)
class Run:
    """A marked batch of three works.  out: its results."""

    names: tuple[str, ...]
    spec: Path
    out: Path
    document: Any

    @property
    def works(self) -> Path:
        return self.spec.parent / "works"

    def told(self, work: str) -> Iterator[tuple[str, str, Any]]:
        """Yield each kind that a program judges, what a work is told of it by `ROWS`, and its last case."""
        (submission,) = (each for each in self.document["submissions"] if each["id"] == work)
        cases = last_cases(submission)
        assert cases.keys() == set(self.names) - {"manual"}
        for name, case in cases.items():
            yield (
                name,
                {"right": ACCEPTED, "wrong": ROWS[name].wrong, "otherwise": ROWS[name].otherwise}[work],
                case,
            )


def last_cases(submission: Any) -> dict[str, Any]:
    return {
        question["id"]: question["cases"][-1] for question in submission["questions"] if question["cases"]
    }


def done(*arguments: str | Path, code: int = 0) -> Done:
    ended = grader(*arguments)
    assert ended.returncode == code, ended.stdout[-2000:] + ended.stderr[-2000:]
    assert "Traceback" not in ended.stderr
    return ended


@pytest.fixture(scope="session")
def runs() -> dict[tuple[str, ...], Run]:
    return {}


@pytest.fixture
def run(request, runs, tmp_path_factory) -> Run:
    """Return the run of some rows, which is made once."""
    if request.param not in runs:
        runs[request.param] = marked(request.param, tmp_path_factory.mktemp("kinds"))
    return runs[request.param]


def marked(names: tuple[str, ...], folder: Path) -> Run:
    spec = write_kinds(folder, names)
    for name, work in (("right", Work({})), ("wrong", WRONG), ("otherwise", OTHERWISE)):
        write_work(spec, work, folder / "works" / name)
    (folder / "reviews").mkdir()
    (folder / "reviews" / "kinds.yaml").write_text(REVIEWS if "manual" in names else "")
    out = folder / "out"
    done("mark", spec, folder / "works", "-o", out)
    return Run(names, spec, out, results(out))


def test_each_kind_has_a_row(tmp_path: Path) -> None:
    assert ROWS.keys() == KINDS.keys()
    task = load_task(write_kinds(tmp_path))
    assert {case.what.kind_name for case in task.cases} == registry().entries(Group.KINDS).keys()


@of_some
@pytest.mark.parametrize("work", first_of(["wrong", "right", "otherwise"]))
def test_mark_judges_each_kind(run: Run, work: str) -> None:
    assert [f"{name}: {case}" for name, told, case in run.told(work) if not fits(case, told)] == []
    (submission,) = (each for each in run.document["submissions"] if each["id"] == work)
    if work == "otherwise":
        assert (submission["status"] == "pending") == bool(submission["awaiting"]) == ("manual" in run.names)
    else:
        assert submission["mark"] == (str(len(run.names)) if work == "right" else "0")


@of_some
def test_results_are_as_their_schema_says(run: Run) -> None:
    assert [each.message for each in Draft202012Validator(results_schema()).iter_errors(run.document)] == []


@of_some
def test_each_page_and_explanation_says_it(run: Run) -> None:
    pages = {
        name: "\n".join(path.read_text() for path in (run.out / name).rglob("wrong*.html"))
        for name in ("staff", "students")
    }
    pages["explain"] = done("explain", run.out, "wrong").stdout
    pages["explain --json"] = str(json.loads(done("explain", run.out, "wrong", "--json").stdout))
    pages["junit"] = (run.out / "junit.xml").read_text()
    assert [
        (name, page)
        for name, told, case in run.told("wrong")
        for page, text in pages.items()
        if not says(text, told, case)
    ] == []


@of_all
def test_check_says_what_mark_says(run: Run) -> None:
    for work in ("right", "wrong"):
        ended = grader("check", run.spec, run.works / work, "--json")
        document = json.loads(ended.stdout)
        assert (ended.returncode, document["all_accepted"]) == ((0, True) if work == "right" else (1, False))
        cases = last_cases(document["submission"])
        for name, told, case in run.told(work):
            assert fits(cases[name], told), name
            assert cases[name]["message"] == case["message"], name
        assert document["marked_by_people"] == ["manual"] * ("manual" in run.names)
    text = grader("check", run.spec, run.works / "wrong").stdout
    assert [name for name, _, case in run.told("wrong") if case["id"] not in text] == []


def untimed(folder: Path) -> Any:
    """Return the results of a run without its times, and without the digest of the reviews, which the first one adds to."""
    document = reproducible(results(folder))
    document["run"].pop("files")
    for submission in document["submissions"]:
        for question in submission["questions"]:
            for case in question["cases"]:
                for key in ("timing", "growth"):
                    case.pop(key, None)
    return document


@of_all
def test_later_runs_give_the_same_bytes(run: Run, tmp_path: Path) -> None:
    first = untimed(run.out)
    kept, again, alone = tmp_path / "kept", tmp_path / "again", tmp_path / "alone"
    for folder in (kept, alone):
        shutil.copytree(run.out, folder)
    done("mark", run.spec, run.works, "-o", kept)
    done("mark", run.spec, run.works, "-o", alone, "--only", "wrong", "--no-cache")
    done("remark", run.out, "-o", again)
    for folder in (kept, again, alone):
        assert untimed(folder) == first, folder.name
        done("diff", run.out, folder)


@of_all
def test_the_handout_has_each_case_or_leaves_it_out_by_name(run: Run, tmp_path: Path) -> None:
    told = done("bundle", run.spec, "-o", tmp_path / "handout").stderr
    lines = [line for line in told.splitlines() if "left out" in line]
    public = set()
    for name in run.names:
        row = ROWS[name]
        about = [line for line in lines if re.search(rf"[ :]{name}\.\d", line)]
        if row.handout in (PUBLIC, PERSON):
            assert about == [], name
            public |= {name} if row.handout == PUBLIC else set()
        else:
            assert len(about) == 1, name
            assert row.handout in about[0], name
    spec = tmp_path / "handout" / "kinds.yaml"
    for work in ("right", "wrong"):
        document = json.loads(grader("check", spec, run.works / work, "--json").stdout)
        cases = last_cases(document["submission"])
        assert cases.keys() == public
        for name, told_here, _ in run.told(work):
            assert name not in cases or fits(cases[name], told_here), name


# Each replay starts zygotes with all packages of the task, so a row for each form of script is enough.
@pytest.mark.parametrize(
    "run", [pytest.param((*SOME, "student-tests"), id="some", marks=pytest.mark.acceptance)], indirect=True
)
def test_replay_runs_the_case_and_its_script_answers(run: Run, tmp_path: Path) -> None:
    cases = {name: case for name, _, case in run.told("wrong")}
    for name in run.names:
        row, case = ROWS[name], cases.get(name, {"id": "manual.1"})
        folder = tmp_path / name
        ended = grader("replay", run.out, "wrong", case["id"], "--to", folder)
        if row.script in (READS, NO_CALL, NO_CASE):
            assert row.script in ended.stdout + ended.stderr, name
            assert not folder.exists(), name
        else:
            assert says(ended.stdout, row.wrong, case), name
            assert output(ended.stdout.splitlines()[-1]).startswith(row.script), name
        assert ended.returncode == (2 if row.script == NO_CASE else 0), name


def output(line: str) -> str:
    """Return what a pasted line of `replay` prints, and the last line of its traceback."""
    env = {**os.environ, "MPLBACKEND": "agg"}
    ended = subprocess.run(["sh", "-c", line], env=env, capture_output=True, text=True)
    assert sys.executable in line
    return ended.stdout or "".join(ended.stderr.splitlines()[-1:])


def test_each_format_has_a_row() -> None:
    assert FORMS.keys() == FORMATS.keys()


@of_some
@pytest.mark.parametrize("form", [form for form, has in FORMS.items() if has in (CASES, MARKS, SHEET)])
def test_exports_say_what_they_have(run: Run, tmp_path: Path, form: str) -> None:
    out = tmp_path / "out"
    ended = grader("export", run.out, "--to", form, "-o", out)
    if FORMS[form] == SHEET:
        assert (ended.returncode, SHEET in ended.stderr) == (2, True)
        return
    assert (ended.returncode, ended.stderr.count("Traceback")) == (0, 0)
    text = "\n".join(map(text_of, filter(Path.is_file, (out, *out.rglob("*")))))
    assert FORMS[form] != MARKS or ("right" in text and "wrong" in text)
    told = run.told("wrong") if FORMS[form] == CASES else ()
    assert [name for name, message, case in told if not says(text, message, case)] == []


def text_of(path: Path) -> str:
    text = path.read_text()
    if path.suffix == ".json":
        return json.dumps(json.loads(text), ensure_ascii=False).replace("\\n", " ")
    return text
