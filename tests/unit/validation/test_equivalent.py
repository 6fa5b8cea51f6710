"""The file of mutants that a person says are equivalent."""

import pytest
from support.validating import task_of

from grader.model.errors import UsageError
from grader.plugins.validate.checks.equivalent import read_equivalent

ENTRY = (
    "- {mutant: m1, question: divisors, reason: both orders are right}\n- {mutant: m2, reason: the same}\n"
)


def test_an_entry_holds_for_its_question_or_for_all(tmp_path) -> None:
    known = read_equivalent(task_of(tmp_path, equivalent=ENTRY))
    assert known.reason("m1", "divisors") == "both orders are right"
    assert known.reason("m1", "largest") == ""
    assert known.reason("m2", "largest") == "the same"


def test_an_entry_that_is_right_gives_no_remark(tmp_path) -> None:
    known = read_equivalent(task_of(tmp_path, equivalent=ENTRY))
    assert list(known.wrong({"m1", "m2"}, {"divisors": set(), "largest": {"m1"}})) == []


def test_mutants_and_questions_can_share_a_reason(tmp_path) -> None:
    entry = "- {mutant: [m1, m2], question: [divisors, 3], reason: both orders are right}\n"
    known = read_equivalent(task_of(tmp_path, equivalent=entry))
    for mutant in ("m1", "m2"):
        assert known.reason(mutant, "divisors") == known.reason(mutant, "3") == "both orders are right"
        assert known.reason(mutant, "largest") == ""


def test_an_entry_that_names_no_mutant_is_told(tmp_path) -> None:
    known = read_equivalent(task_of(tmp_path, equivalent=ENTRY))
    (remark,) = known.wrong({"m1"}, {"divisors": set()})
    assert "m2: there is no such mutant" in remark.text


def test_an_entry_for_a_caught_mutant_is_told(tmp_path) -> None:
    known = read_equivalent(task_of(tmp_path, equivalent=ENTRY))
    found = list(known.wrong({"m1", "m2"}, {"divisors": {"m1"}, "largest": {"m2"}}))
    assert [remark.text.partition(": ")[2] for remark in found] == [
        "question divisors catches it, so it is not equivalent",
        "question largest catches it, so it is not equivalent",
    ]


@pytest.mark.parametrize(
    "text", ["{a: 1}", "- 3", "- {mutant: m1}", "- {mutant: m1, reason: ''}", "- {mutant: m1, why: x}", "- ["]
)
def test_a_file_that_is_wrong_is_refused_with_its_place(tmp_path, text) -> None:
    with pytest.raises(UsageError, match=r"equivalent\.yaml"):
        read_equivalent(task_of(tmp_path, equivalent=text))
