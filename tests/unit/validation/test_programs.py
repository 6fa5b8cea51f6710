"""What is declared of wrong programs."""

import pytest

from grader.authoring.programs import differences, read_declarations, slow_cases
from grader.model.errors import UsageError


def read(tmp_path, text):
    path = tmp_path / "expected.yaml"
    path.write_text(text)
    return read_declarations(path)


def test_ids_and_marks_are_texts_however_yaml_takes_them(tmp_path) -> None:
    declared = read(tmp_path, "one: {mark: 1.5, questions: {1: 2}, verdicts: {1.2: accepted}}")
    assert declared == {"one": {"mark": "1.5", "questions": {"1": "2"}, "verdicts": {"1.2": "accepted"}}}


def test_there_may_be_no_file(tmp_path) -> None:
    assert read_declarations(tmp_path / "expected.yaml") == {}


@pytest.mark.parametrize("text", ["[1]", "one: 3", "one: {", "one: {marks: 3}"])
def test_a_wrong_file_is_refused_with_its_place(tmp_path, text) -> None:
    with pytest.raises(UsageError, match=r"expected\.yaml"):
        read(tmp_path, text)


def test_cases_that_are_to_meet_their_time_limit_are_known(tmp_path) -> None:
    declared = read(tmp_path, "one: {verdicts: {a.1: time-limit, a.2: wrong-answer}}")
    assert slow_cases(declared["one"]) == {"a.1"}


def test_what_differs_is_named() -> None:
    declared = {"mark": "2", "questions": {"a": "1", "b": "1"}, "verdicts": {"a.1": "accepted"}}
    found = {"mark": "1", "questions": {"a": "1", "b": "0"}, "verdicts": {"a.1": "accepted"}}
    assert list(differences(found, declared)) == [("mark", "2", "1"), ("question b", "1", "0")]
    assert list(differences(declared, declared)) == []
