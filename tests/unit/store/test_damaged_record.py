"""Whatever becomes of the record on the disk, a run is told so in words, or it gets what was recorded."""

import random
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.results_sample import submissions

from grader.model.errors import UsageError
from grader.store.database import FILE_NAME, VERSION
from grader.store.results_json import submission_text
from grader.store.run_store import RunStore

PAGE_B = 4096
DOCUMENTS = sorted((each for each in submissions()), key=lambda each: each.id)
TEXTS = [submission_text(each) for each in DOCUMENTS]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A record of some pages, with evidence."""
    folder = tmp_path_factory.mktemp("recorded")
    with RunStore(folder) as store:
        store.begin("first")
        for document in DOCUMENTS:
            store.append(document, "key", random.Random(1).randbytes(6000))
    return (folder / FILE_NAME).read_bytes()


RECORD, RESULT = "the record of earlier runs is damaged", "the recorded result of a student is damaged"


def run_again(folder: Path) -> list[str]:
    """Do what a run does that keeps all but one result, and return what it would write."""
    with RunStore(folder) as store:
        known = store.keys()
        store.begin("second")
        for document in DOCUMENTS:
            store.evidence(document.id)
        marked = [each for each in DOCUMENTS[1:] if known.get(each.id) != "key"] + DOCUMENTS[:1]
        for document in marked:
            store.append(document, "key", b"evidence")
        store.keep([each.id for each in DOCUMENTS if each not in marked])
        return list(store.texts())


def told(folder: Path) -> str:
    """Return what a run says of a record, with which it cannot go on."""
    with pytest.raises(UsageError) as refused:
        run_again(folder)
    (fault,) = refused.value.faults
    assert fault.where == str(folder / FILE_NAME)
    assert fault.hint
    return fault.message


def damaged(whole: bytes, places: range) -> bytes:
    """Return the record with other bytes in these places."""
    part = bytes(byte ^ 0x55 for byte in whole[places.start : places.stop])
    return whole[: places.start] + part + whole[places.stop :]


def each_damaged(folder: Path, ways: list[bytes]) -> Iterator[list[str] | str]:
    """Yield what a run comes to with each of these files: its results, or what it says."""
    for number, data in enumerate(ways):
        place = folder / str(number)
        place.mkdir()
        (place / FILE_NAME).write_bytes(data)
        try:
            yield run_again(place)
        except UsageError as error:
            # Whose result it is depends on the place.
            yield re.sub(r"of student-\d\d ", "of a student ", error.faults[0].message)


def test_any_page_that_is_damaged_is_told(recorded: bytes, tmp_path: Path) -> None:
    starts = range(0, len(recorded), PAGE_B)
    assert len(starts) > 10
    ways = [damaged(recorded, range(start, start + PAGE_B)) for start in starts]
    found = list(each_damaged(tmp_path, ways))
    assert {message for message in found if isinstance(message, str)} == {RECORD, RESULT}


def test_a_record_that_was_cut_is_told(recorded: bytes, tmp_path: Path) -> None:
    ways = [recorded[:size] for size in range(2, len(recorded), PAGE_B // 2)]
    found = list(each_damaged(tmp_path, ways))
    # Where only a part of the last page is gone, that is evidence.
    assert [each for each in found if each not in (TEXTS, RECORD, RESULT)] == []
    assert found.count(TEXTS) <= 2


def our_version(database: sqlite3.Connection) -> None:
    database.execute(f"PRAGMA user_version = {VERSION}")


def no_version(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA user_version = 0")


def negative_version(database: sqlite3.Connection) -> None:
    database.execute("PRAGMA user_version = -1")


@pytest.mark.parametrize("version", [our_version, no_version, negative_version])
def test_a_database_of_something_else_is_told_and_left_alone(
    tmp_path: Path, version: Callable[[sqlite3.Connection], None]
) -> None:
    path = tmp_path / FILE_NAME
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE submission (other INTEGER)")
        version(database)
    database.close()
    before = path.read_bytes()
    assert told(tmp_path) == "the record of earlier runs is damaged"
    if version is not our_version:
        assert path.read_bytes() == before


def test_a_damaged_record_that_was_moved_away_is_made_anew(recorded: bytes, tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    path.write_bytes(damaged(recorded, range(PAGE_B)))
    # What a run that was killed leaves beside it.
    path.with_name(f"{FILE_NAME}-wal").write_bytes(b"no log at all")
    told(tmp_path)
    path.unlink()
    with RunStore(tmp_path) as store:
        assert store.keys() == {}
        store.begin("first")
        store.append(DOCUMENTS[0], "key")
        assert list(store.texts()) == TEXTS[:1]


def with_changes(folder: Path, recorded: bytes, statement: str) -> None:
    """Put a record there, and change it behind the grader's back."""
    (folder / FILE_NAME).write_bytes(recorded)
    with sqlite3.connect(folder / FILE_NAME) as database:
        database.execute(statement)
    database.close()


CUT = "UPDATE submission SET document = substr(document, 1, 100)"
ALTERED = "UPDATE submission SET document = replace(document, 'mark', 'nark')"


@pytest.mark.parametrize("change", [CUT, ALTERED])
def test_a_result_that_is_damaged_does_not_hold_and_is_never_written_out(
    recorded: bytes, tmp_path: Path, change: str
) -> None:
    first, second, *_ = (each.id for each in DOCUMENTS)
    with_changes(tmp_path, recorded, f"{change} WHERE id = '{first}'")
    with RunStore(tmp_path) as store:
        store.begin("second")
        store.keep([first, second])
        with pytest.raises(UsageError, match=f"the recorded result of {first} is damaged"):
            list(store.texts())
    # So the next run has it marked anew.
    with RunStore(tmp_path) as store:
        assert (store.keys()[first], store.keys()[second]) == ("", "key")
        store.begin("third")
        store.keep([second])
        store.append(DOCUMENTS[0], "key")
        assert list(store.texts()) == TEXTS[:2]
        assert store.keys()[first] == "key"


def test_a_result_that_is_gone_is_missed(recorded: bytes, tmp_path: Path) -> None:
    with_changes(tmp_path, recorded, f"DELETE FROM submission WHERE id = '{DOCUMENTS[0].id}'")
    with RunStore(tmp_path) as store:
        store.begin("second")
        store.keep([each.id for each in DOCUMENTS])
        with pytest.raises(UsageError, match=f"the recorded result of {DOCUMENTS[0].id} is damaged"):
            list(store.texts())


def test_evidence_that_is_damaged_is_not_known(recorded: bytes, tmp_path: Path) -> None:
    first, second, *_ = (each.id for each in DOCUMENTS)
    with_changes(tmp_path, recorded, f"UPDATE evidence SET found = substr(found, 1, 50) WHERE id = '{first}'")
    with RunStore(tmp_path) as store:
        assert store.evidence(first) == b""
        assert len(store.evidence(second)) == 6000


def test_no_byte_that_changes_gets_into_the_results(recorded: bytes, tmp_path: Path) -> None:
    chance = random.Random(7)
    places = [chance.randrange(len(recorded)) for _ in range(100)]
    ways = [damaged(recorded, range(place, place + 1)) for place in places]
    messages = {str(each) for each in each_damaged(tmp_path, ways) if each != TEXTS}
    assert messages <= {RECORD, RESULT, "a later version of grader wrote this record"}


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER better AFTER INSERT ON submission BEGIN UPDATE submission SET document = 'x'; END",
        "CREATE VIEW other AS SELECT * FROM submission",
    ],
)
def test_a_record_that_would_change_what_is_written_to_it_is_told(
    recorded: bytes, tmp_path: Path, statement: str
) -> None:
    (tmp_path / FILE_NAME).write_bytes(recorded)
    with sqlite3.connect(tmp_path / FILE_NAME) as database:
        database.execute(statement)
    database.close()
    assert told(tmp_path) == RECORD
    with pytest.raises(UsageError):
        RunStore.reading(tmp_path)


def test_the_result_of_one_student_in_the_place_of_another_does_not_count(
    recorded: bytes, tmp_path: Path
) -> None:
    (tmp_path / FILE_NAME).write_bytes(recorded)
    first, second = DOCUMENTS[1].id, DOCUMENTS[2].id
    with sqlite3.connect(tmp_path / FILE_NAME) as database:
        for table, column in (("submission", "document"), ("holding", "checksum")):
            query = f"UPDATE {table} SET {column} = (SELECT {column} FROM {table} WHERE id = ?) WHERE id = ?"
            database.execute(query, (second, first))
    database.close()
    assert "is damaged" in told(tmp_path)
