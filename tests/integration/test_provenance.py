"""Which machine made which mark, and `grader mark --again` for a machine that is not believed any more."""

import json
import shutil
import socket
import sqlite3
import zlib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from support.command_line import BATCH, SPEC, Done, grader, submissions
from support.rows import first_of

from grader import __version__
from grader.model.results import MarkOrigin
from grader.runtime.machine import this_machine
from grader.store.results_json import submission_of, submission_text
from grader.store.run_store import RunStore

pytestmark = pytest.mark.acceptance

ELSEWHERE = MarkOrigin(
    machine="lab7/0a1b2c3d",
    driver="namespaces",
    python="3.12.1",
    grader="0.1.0",
    worker="tls://10.0.0.7:4001",
)


def mark(out: Path, *options: str | Path) -> Done:
    return grader("mark", SPEC, BATCH, "-o", out, *options)


def forged(out: Path) -> str:
    """Let a worker have made one of the marks, which it forged; return whose."""
    with RunStore.reading(out) as store:
        name = sorted(store.keys())[0]
        result = replace(submission_of(store.text(name)), mark=Fraction(0), made=ELSEWHERE)
    document = submission_text(result)
    with sqlite3.connect(out / "run.sqlite") as database:
        database.execute("UPDATE submission SET document = ? WHERE id = ?", (document, name))
        database.execute(
            "UPDATE holding SET checksum = ? WHERE id = ?", (zlib.crc32(document.encode()), name)
        )
    database.close()
    return name


@pytest.fixture
def out(tmp_path: Path) -> Path:
    assert mark(tmp_path / "out").returncode == 0
    return tmp_path / "out"


def test_a_mark_says_where_it_was_made(out: Path) -> None:
    found = submissions(out)
    (made,) = {json.dumps(one["made"]) for one in found.values()}
    about = json.loads(made)
    assert about["machine"].startswith(socket.gethostname())
    assert about["grader"] == __version__
    assert set(about) == {"machine", "driver", "python", "grader"}
    with RunStore.reading(out) as store:
        assert json.loads(store.text(sorted(found)[0]))["made"] == about
    told = grader("explain", out, sorted(found)[0]).stdout
    assert "made on" in told
    assert this_machine() in told


@pytest.mark.parametrize("name", first_of(["tls://10.0.0.7:4001", "lab7", "10.0.0.7"]))
def test_what_a_machine_made_is_made_again(out: Path, name: str) -> None:
    right = submissions(out)
    victim = forged(out)
    kept = mark(out)
    assert submissions(out)[victim]["mark"] == "0" != right[victim]["mark"], kept.stderr
    again = mark(out, "--again", name)
    assert f"1 submission that {name} had a part in will be marked again" in again.stderr
    assert f"{len(right) - 1} of {len(right)} submissions unchanged" in again.stderr
    found = submissions(out)
    assert found[victim]["mark"] == right[victim]["mark"]
    assert found[victim]["made"] == right[victim]["made"]
    unknown = mark(out, "--again", name)
    assert unknown.returncode == 2
    assert f"no mark in the record was made by the machine '{name}'" in unknown.stderr


def test_a_mark_from_evidence_of_a_machine_names_it(out: Path, tmp_path: Path) -> None:
    victim = forged(out)
    spec = tmp_path / "task" / SPEC.name
    shutil.copytree(SPEC.parent, spec.parent)
    spec.write_text(f"{SPEC.read_text()}\n# another digest\n")
    done = grader("mark", spec, BATCH, "-o", out)
    made = submissions(out)[victim]["made"]
    assert made["evidence"] == ["lab7/0a1b2c3d at tls://10.0.0.7:4001"], done.stderr
    again = grader("mark", spec, BATCH, "-o", out, "--again", "lab7")
    assert "1 submission that lab7" in again.stderr
    assert "evidence" not in submissions(out)[victim]["made"]


@pytest.mark.parametrize("other", first_of([("--only", "x"), ("--no-cache",)]))
def test_again_goes_with_no_other_choice(out: Path, other: tuple[str, ...]) -> None:
    done = mark(out, "--again", "lab7", *other)
    assert done.returncode == 2
    assert "give one of them" in done.stderr


def test_from_another_folder(out: Path, tmp_path: Path) -> None:
    victim = forged(out)
    done = mark(tmp_path / "new", "--from", out, "--again", "lab7/0a1b2c3d")
    assert done.returncode == 0, done.stderr
    assert submissions(tmp_path / "new")[victim]["made"]["machine"] == this_machine()
    assert mark(tmp_path / "none", "--again", "lab7").returncode == 2
