"""What a run takes over from earlier ones, and what it hands to `results.json`."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from results_sample import submissions

from grader.store.document import submission_document
from grader.store.json_text import json_text
from grader.store.run_store import RunStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore(tmp_path) as found:
        yield found


def test_a_run_has_what_it_marked_and_kept_in_the_order_of_ids(store: RunStore) -> None:
    documents = [submission_document(each) for each in submissions()]
    store.begin("first")
    for each in reversed(documents):
        store.append(each, f"key of {each['id']}")
    assert [json.loads(text) for text in store.texts()] == sorted(documents, key=lambda each: each["id"])
    store.begin("second")
    assert list(store.texts()) == []
    store.keep([documents[2]["id"], documents[0]["id"]])
    changed = documents[1].copy()
    changed["mark"] = "0"
    store.append(changed, "another key")
    assert list(store.texts()) == [json_text(each) for each in (documents[0], changed, documents[2])]
    assert store.keys()[documents[1]["id"]] == "another key"


def test_a_record_that_is_opened_again_has_all_of_it(store: RunStore, tmp_path: Path) -> None:
    document = submission_document(submissions()[0])
    store.begin("first")
    store.append(document, "key")
    store.close()
    with RunStore(tmp_path) as again:
        assert again.keys() == {document["id"]: "key"}
        again.begin("second")
        again.keep([document["id"]])
        assert list(again.texts()) == [json_text(document)]
