"""The record of the run whose results are in the folder, whatever later runs did to the store."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from support.results_sample import RUN, submissions

from grader.model.errors import UsageError
from grader.model.submission import SourceFile, Submission
from grader.store.database import FILE_NAME
from grader.store.record_parts import RecordedRun, RecordedSpec, pack, pack_work
from grader.store.run_record import RunRecord
from grader.store.run_store import RunStore

FIRST, SECOND = submissions()[:2]


def about(name: str) -> bytes:
    """Return the start of a run, which had a spec of that name."""
    return pack(RecordedRun(info=replace(RUN, id=name, spec_sha256=f"of {name}"), python="3.12"))


def spec(name: str) -> bytes:
    return pack(RecordedSpec(f"{name}.yaml", f"of {name}", ()))


def work(name: str, text: str) -> bytes:
    return pack_work(Submission(id=name, name=name, files={"m": SourceFile("m.py", text)}))


def run(store: RunStore, name: str, texts: dict[str, str], *, finishes: bool = True) -> None:
    """Mark the submissions with these texts, and keep the other one."""
    store.begin(name, about(name), spec(name))
    marked = [each for each in (FIRST, SECOND) if each.id in texts]
    for each in marked:
        store.append(each, "key", work=work(each.id, texts[each.id]))
    if finishes:
        store.keep([each.id for each in (FIRST, SECOND) if each not in marked])
        store.finish()


A, B = FIRST.id, SECOND.id


def texts(folder: Path, name: str) -> dict[str, tuple[str, str]]:
    """Return the run that marked each submission, and the text of its module."""
    with RunRecord(folder, name) as record:
        return {
            each: (entry.marked, record.work(entry, each).files["m"].text)
            for each, entry in record.entries().items()
        }


def parts(folder: Path) -> int:
    with sqlite3.connect(folder / FILE_NAME) as database:
        return database.execute("SELECT count(*) FROM part").fetchone()[0]


def test_a_later_run_keeps_what_it_did_not_mark(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        run(store, "one", {A: "1", B: "2"})
        run(store, "two", {A: "3"})
    assert texts(tmp_path, "two") == {FIRST.id: ("two", "3"), SECOND.id: ("one", "2")}
    with RunRecord(tmp_path, "two") as record:
        assert record.run("one").python == record.run().python == "3.12"
    # The start and the spec of each run, and two works.
    assert parts(tmp_path) == 6


def test_an_interrupted_run_leaves_the_record_of_the_results(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        run(store, "one", {A: "1", B: "2"})
        run(store, "two", {A: "3"}, finishes=False)
    assert texts(tmp_path, "one") == {FIRST.id: ("one", "1"), SECOND.id: ("one", "2")}
    with RunStore(tmp_path) as store:
        run(store, "three", {B: "4"})
    assert texts(tmp_path, "three") == {FIRST.id: ("two", "3"), SECOND.id: ("three", "4")}


def test_a_run_that_was_killed_after_its_results_were_written_has_its_record(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        run(store, "one", {A: "1", B: "2"})
        run(store, "two", {A: "3"}, finishes=False)
        store.keep([SECOND.id])
    assert texts(tmp_path, "two") == {FIRST.id: ("two", "3"), SECOND.id: ("one", "2")}


def read_all(folder: Path, name: str) -> None:
    with RunRecord(folder, name) as record:
        for each, entry in record.entries().items():
            record.work(entry, each)
        record.run()
        record.spec()


def told(folder: Path, name: str = "one") -> str:
    with pytest.raises(UsageError) as refused:
        read_all(folder, name)
    (fault,) = refused.value.faults
    assert fault.where
    return fault.message


def test_what_is_wrong_with_a_record_is_told(tmp_path: Path) -> None:
    assert told(tmp_path) == "the record of the run is not here"
    with RunStore(tmp_path) as store:
        run(store, "one", {A: "1", B: "2"})
    assert told(tmp_path, "other") == "the record is not that of the run other"
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    with sqlite3.connect(path) as database:
        database.execute(
            "UPDATE part SET packed = ? WHERE digest = (SELECT digest FROM work LIMIT 1)", (b"x",)
        )
    assert "the work of " in told(tmp_path)
    path.write_bytes(whole)
    with sqlite3.connect(path) as database:
        database.execute("DELETE FROM part")
    assert "cannot be read" in told(tmp_path)
    path.write_bytes(b"something else" * 1000)
    assert told(tmp_path) == "the record of the run is damaged"
    path.write_bytes(whole[: len(whole) // 2])
    assert "damaged" in told(tmp_path)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        (
            "UPDATE {table} SET digest = (SELECT digest FROM work WHERE id = :b) WHERE id = :a",
            f"the work of {A}",
        ),
        ("UPDATE run SET about = (SELECT about FROM run WHERE id = 'one')", "how the run was started"),
        ("UPDATE run SET spec = (SELECT spec FROM run WHERE id = 'one')", "the spec"),
    ],
)
def test_a_part_that_a_row_takes_from_another_is_told(tmp_path: Path, statement: str, what: str) -> None:
    """The parts are whole, and their digests are theirs; only the rows changed."""
    with RunStore(tmp_path) as store:
        run(store, "one", {A: "1", B: "2"})
        run(store, "two", {A: "3"})
    read_all(tmp_path, "two")
    with sqlite3.connect(tmp_path / FILE_NAME) as database:
        for table in ("work", "finished"):
            database.execute(statement.format(table=table), {"a": A, "b": B} if ":a" in statement else {})
    assert told(tmp_path, "two") == f"the record is damaged: {what} cannot be read"


def test_a_part_in_a_form_that_is_not_known_is_told(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        store.begin("one", about("one"), spec("one"))
        store.append(FIRST, "key", work=b"in another form")
        store.finish()
    assert told(tmp_path) == f"another version of grader recorded the work of {FIRST.id}"


def test_a_record_of_an_earlier_version_is_told(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE_NAME) as database:
        database.execute("PRAGMA user_version = 5")
        database.execute("CREATE TABLE task (id TEXT)")
    assert told(tmp_path) == "an earlier version of grader wrote this record"


def test_a_record_is_read_in_a_folder_that_cannot_be_written_to(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        run(store, "one", {A: "1", B: "2"})
    (tmp_path / FILE_NAME).chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        assert len(texts(tmp_path, "one")) == 2
        assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]
    finally:
        tmp_path.chmod(0o755)


def test_a_store_that_is_written_to_is_left_alone(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        run(store, "one", {A: "1", B: "2"})
        assert told(tmp_path) == "another grader is writing to this folder"
