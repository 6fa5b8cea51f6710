"""What a run takes over from earlier ones, and what it hands to `results.json`."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from support.results_sample import submissions

from grader.model.errors import UsageError
from grader.store.database import FILE_NAME
from grader.store.results_json import submission_of, submission_text
from grader.store.run_store import RunStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore(tmp_path) as found:
        yield found


def test_a_run_has_what_it_marked_and_kept_in_the_order_of_ids(store: RunStore) -> None:
    documents = list(submissions())
    store.begin("first")
    for each in reversed(documents):
        store.append(each, f"key of {each.id}")
    assert [submission_of(text) for text in store.texts()] == documents
    store.begin("second")
    assert list(store.texts()) == []
    store.keep([documents[2].id, documents[0].id])
    changed = replace(documents[1], mark=Fraction(0))
    store.append(changed, "another key")
    assert list(store.texts()) == [submission_text(each) for each in (documents[0], changed, documents[2])]
    assert store.keys()[documents[1].id] == "another key"


def test_a_record_that_is_opened_again_has_all_of_it(store: RunStore, tmp_path: Path) -> None:
    document = submissions()[0]
    store.begin("first")
    store.append(document, "key")
    store.close()
    with RunStore(tmp_path) as again:
        assert again.keys() == {document.id: "key"}
        again.begin("second")
        again.keep([document.id])
        assert list(again.texts()) == [submission_text(document)]


def test_a_record_is_of_one_task(store: RunStore, tmp_path: Path) -> None:
    document = submissions()[0]
    store.claim("words")
    store.begin("first")
    store.append(document, "key")
    store.close()
    with RunStore(tmp_path) as again:
        again.claim("words")
        with pytest.raises(UsageError) as refused:
            again.claim("numbers")
        (fault,) = refused.value.faults
        assert fault.message == "the folder holds the results of the task 'words', not of 'numbers'"
        assert (fault.where, fault.hint) == (str(tmp_path), "choose another folder with -o")
        assert again.keys() == {document.id: "key"}


@pytest.mark.parametrize("replaced", [False, True])
def test_a_folder_that_is_moved_away_is_told_with_the_next_result(
    store: RunStore, tmp_path: Path, replaced: bool
) -> None:
    first, second, *_ = (each for each in submissions())
    store.begin("first")
    store.append(first, "key")
    (tmp_path / FILE_NAME).rename(tmp_path / "elsewhere")
    if replaced:
        (tmp_path / FILE_NAME).touch()
    with pytest.raises(UsageError, match="the record was removed or replaced while it was written"):
        store.append(second, "key")


def test_the_last_proof_of_a_spec_is_kept(tmp_path: Path) -> None:
    with RunStore(tmp_path) as store:
        assert store.proof("one") == ""
        store.add_proof("one", "[]")
    with RunStore(tmp_path) as store:
        assert store.proof("one") == "[]"
        store.add_proof("two", "[1]")
        assert (store.proof("one"), store.proof("two")) == ("", "[1]")
