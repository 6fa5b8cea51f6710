"""What students see of hidden cases."""

from dataclasses import replace

from support.validating import DIVISORS, LARGEST, task_of

from grader.engine.run_config import prepare_run
from grader.model.case import Visibility
from grader.model.results import TaskHead
from grader.plugins.validate.secrets import planted, secrets_in_spec, secrets_told
from grader.plugins.validate.trial import program, reference_program
from grader.plugins.validate.work.jobs import JobContext
from grader.sandbox.driver import LADDER


def test_planted_texts_stand_in_hidden_cases_alone(tmp_path) -> None:
    task = planted(task_of(tmp_path))
    for case in task.cases:
        assert case.text.startswith("planted") is (case.visibility is not Visibility.PUBLIC)
        assert case.hint.startswith("planted") is (case.visibility is not Visibility.PUBLIC)


def test_a_message_that_tells_a_hidden_call_is_found(tmp_path) -> None:

    task = task_of(tmp_path)
    bench = JobContext(prepare_run(task, LADDER[0], ""))
    try:
        result = bench.trials().mark(program(reference_program(task)), planted(task))
    finally:
        bench.close()
    assert secrets_told(TaskHead.of(task), result) == []
    first = result.questions[0]
    for told, what in (("planted_call_of_largest.3(1, 2, 3)", "call"), ("planted hint of largest.3", "hint")):
        leaky = replace(first.cases[0], message=f"compare with {told}")
        question = replace(first, cases=(leaky, *first.cases[1:]))
        found = secrets_told(TaskHead.of(task), replace(result, questions=(question, *result.questions[1:])))
        assert ["largest.3", what, "largest.1: message"] in found


def test_a_spec_without_secrets_in_public_has_no_remark(tmp_path) -> None:
    assert list(secrets_in_spec(task_of(tmp_path))) == []


def test_a_hidden_case_with_a_public_call_is_told(tmp_path) -> None:
    questions = LARGEST.replace("largest([4])", "largest([3, 5, 4])").replace("returns: 4,", "returns: 5,")
    (remark,) = secrets_in_spec(task_of(tmp_path, questions=questions + DIVISORS))
    assert (remark.case, "the same call as the public case largest.1" in remark.text) == ("largest.6", True)


def test_a_public_hint_with_a_hidden_answer_is_told(tmp_path) -> None:
    hint = 'divisors(1), hint: "as divisors(4) gives [1, 2, 4]",'
    questions = LARGEST + DIVISORS.replace("divisors(1),", hint)
    found = list(secrets_in_spec(task_of(tmp_path, questions=questions)))
    assert [remark.case for remark in found] == ["divisors.4", "divisors.4"]
    assert "the hint of divisors.2 holds the hidden answer [1, 2, 4]" in [remark.text for remark in found]


def test_a_harness_with_a_hidden_answer_is_told(tmp_path) -> None:
    (tmp_path / "doubles.py").write_text("KNOWN = {4: [1, 2, 4]}\n")
    questions = LARGEST + DIVISORS.replace("divisors(1),", "divisors(1), harness: doubles.py,")
    found = list(secrets_in_spec(task_of(tmp_path, questions=questions)))
    assert "doubles.py holds the hidden answer [1, 2, 4]" in [remark.text for remark in found]


TESTS = """\
from work import largest

EXPECTED = {(3, 5): 5, (918273, 1): 918273}
HIDDEN = {(7, 8): 8, (9, 1): 9}
ONE = [4]


def test_small():
    assert largest([3, 5]) == EXPECTED[3, 5]
    assert largest(ONE) == 4


def test_large():
    assert largest([918273, 1]) == EXPECTED[918273, 1]
    assert largest(ONE) == 4


def test_hidden():
    assert largest([7, 8]) == HIDDEN[7, 8]
"""


def test_data_that_a_public_and_a_hidden_test_share_is_told(tmp_path) -> None:
    """Pytest explains a failure of the public one by all of it."""
    (tmp_path / "test_largest.py").write_text(TESTS)
    cases = "".join(
        f"      - {{pytest: test_largest.py, tests: {name}, visibility: {seen}}}\n"
        for name, seen in (("test_small", "public"), ("test_large", "hidden"), ("test_hidden", "hidden"))
    )
    question = LARGEST[: LARGEST.index("      - ")]
    found = list(secrets_in_spec(task_of(tmp_path, questions=question + cases + DIVISORS)))
    assert [(remark.case, remark.text.split(" stands")[0]) for remark in found] == [
        ("largest.2.1", "`EXPECTED`")
    ]
