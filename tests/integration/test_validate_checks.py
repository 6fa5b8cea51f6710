"""Each check of `validate` finds the mistake that it is for, and none in a spec without it."""

import pytest
from support.validating import DIVISORS, HEAD, LARGEST, REFERENCE, WRONG, remarks, validated

from grader.model.validation import Check, Gravity
from grader.plugins.validate.whole import Options

CHECKERS = """
def near(answer, to):
    if type(answer) not in (int, float):
        return f"expected a number, got {type(answer).__name__}"
    return None if abs(answer - to) < 1 else f"expected about {to}"


def careless(answer, to):
    return None if abs(answer - to) < 1 else f"expected about {to}"


def lenient(answer, to):
    return None if answer == to or not answer else f"expected {to}"


def endless(answer, to):
    while answer == "":
        pass
    return None if answer == to else f"expected {to}"
"""


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    right = {"other": REFERENCE.replace("found is None or x > found", "found is None or not x <= found")}
    handout = "def largest(xs):\n    pass\n\n\ndef divisors(n):\n    pass\n"
    questions = LARGEST.replace('      - {call: "largest([])", returns: null}\n', "") + DIVISORS
    expected = "first: {mark: 0, questions: {largest: 0}, verdicts: {largest.2: wrong-answer}}\n"
    wrong = {"first": "def largest(xs):\n    return xs[-1]\n\n\ndef divisors(n):\n    return [1, n]\n"}
    folder = tmp_path_factory.mktemp("good")
    return validated(
        folder, questions=questions, right=right, handout=handout, wrong=wrong, expected=expected
    )


@pytest.mark.parametrize("check", [check for check in Check if check is not Check.NEEDED])
def test_a_good_spec_has_no_remark(good, check) -> None:
    assert remarks(good, check) == []
    assert good.checks.get(check, 0) > 0 or check in (Check.CHECKERS, Check.MUTANTS)


def test_a_good_spec_is_well(good) -> None:
    assert good.is_well


def test_a_case_that_the_reference_does_not_pass_is_a_fault(tmp_path) -> None:
    found = validated(tmp_path, questions=LARGEST.replace("returns: 4,", "returns: 4.0,") + DIVISORS)
    (remark,) = remarks(found, Check.REFERENCE)
    assert (remark.gravity, remark.case) == (Gravity.FAULT, "largest.6")
    assert ("expected", "4.0") in remark.details
    assert ("actual", "4") in remark.details
    assert not found.is_well


def test_a_near_time_limit_is_told(tmp_path) -> None:
    slow = REFERENCE.replace("    found = None\n", "    found = None\n    sum(range(4_000_000))\n")
    found = validated(tmp_path, reference=slow, head=HEAD.replace("5s", "0.2s"))
    (remark, *_) = remarks(found, Check.HEAD_ROOM)
    assert remark.question == "largest"
    assert remark.hint.startswith("limits: {time: ")


def test_wrong_programs_are_held_against_their_declarations(tmp_path) -> None:
    wrong = WRONG | {"undeclared": WRONG["first"], "right-after-all": REFERENCE}
    expected = (
        "first: {mark: 1, verdicts: {largest.2: accepted}}\nright-after-all: {mark: 2}\ngone: {mark: 0}\n"
    )
    found = validated(tmp_path, wrong=wrong, expected=expected)
    texts = {remark.text: remark for remark in remarks(found, Check.PROGRAMS)}
    assert list(texts) == [
        "expected.yaml declares gone, but there is no such folder beside it",
        "wrong/first does not get what is declared",
        "wrong/right-after-all gets every mark",
        "wrong/undeclared is not declared",
    ]
    assert texts["wrong/first does not get what is declared"].details == (
        ("mark", "declared 1, got 0"),
        ("verdict largest.2", "declared accepted, got exception"),
    )


def test_a_right_program_that_loses_marks_is_a_fault(tmp_path) -> None:
    right = {"falls-short": REFERENCE.replace("range(1, n + 1)", "range(1, n)")}
    (remark,) = remarks(validated(tmp_path, right=right), Check.PROGRAMS)
    assert remark.text == "right/falls-short gets 1 of 2 marks"
    assert [case for case, _ in remark.details] == [f"divisors.{number}" for number in (1, 2, 3, 4)]


def test_marks_for_a_blank_program_are_a_fault(tmp_path) -> None:
    questions = DIVISORS + (
        "  - id: largest\n    title: largest\n    marks: 1\n    award: each\n    cases:\n"
        '      - {call: "largest([])", returns: null}\n      - {call: "largest([1])", returns: 1}\n'
    )
    handout = "def largest(xs):\n    pass\n\n\ndef divisors(n):\n    pass\n"
    expected = "first: {mark: 0.5}\n"
    found = validated(tmp_path, questions=questions, handout=handout, expected=expected)
    (remark,) = remarks(found, Check.BLANK)
    assert (remark.gravity, remark.question, remark.case) == (Gravity.FAULT, "largest", "largest.1")
    assert remark.text == "the bare handout gets 0.5 of 1 marks"


def test_a_tuple_for_a_list_is_not_odd_where_the_spec_allows_both(tmp_path) -> None:
    case = '{call: divisors(12), returns: "[1, 2, 3, 4, 6, 12]"}'
    checkers = (
        "def six(answer):\n    return None if type(answer) in (list, tuple) and len(answer) == 6 else 'no'\n"
    )
    told = []
    for name, more in (("a", ""), ("b", ", sequence: any")):
        (tmp_path / name).mkdir()
        questions = LARGEST + DIVISORS.replace(case, "{call: divisors(12), check: six()" + more + "}")
        found = remarks(validated(tmp_path / name, questions=questions, checkers=checkers), Check.CHECKERS)
        told.append([what for remark in found for what, _ in remark.details if "tuple" in what])
    assert told == [["the right answer as a tuple"], []]


@pytest.mark.parametrize(
    ("checker", "gravity", "answer"),
    [
        ("near", None, ""),
        ("careless", Gravity.FAULT, "None"),
        ("lenient", Gravity.ODD, "[]"),
        ("endless", Gravity.FAULT, "''"),
    ],
)
def test_checkers_are_tried_on_odd_answers(tmp_path, checker, gravity, answer) -> None:
    questions = LARGEST.replace("returns: 4,", f"check: {checker}(to=4),") + DIVISORS
    found = remarks(validated(tmp_path, questions=questions, checkers=CHECKERS), Check.CHECKERS)
    if gravity is None:
        assert [remark for remark in found if remark.gravity is Gravity.FAULT] == []
        return
    told = {remark.gravity: [each for each, _ in remark.details] for remark in found}
    assert answer in told[gravity]
    assert {remark.case for remark in found} == {"largest.6"}


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("import random\n\n\ndef largest(xs):\n    return random.random()\n", "another seed"),
        ("def largest(xs):\n    return list({'a', 'b', 'c', 'd', 'e', 'f'})\n", "order of sets"),
    ],
)
def test_an_answer_that_changes_is_a_fault(tmp_path, reference, words) -> None:
    questions = (
        "  - {id: largest, title: largest, marks: 2, cases: [{call: 'largest([1])', check: anything()}]}\n"
    )
    checkers = "def anything(answer):\n    return None\n"
    found = validated(
        tmp_path, questions=questions, reference=reference, checkers=checkers, wrong={}, expected=""
    )
    (remark,) = remarks(found, Check.STEADY)
    assert (remark.gravity, remark.case) == (Gravity.FAULT, "largest.1")
    assert words in remark.text


def test_a_hidden_case_with_a_public_call_is_told(tmp_path) -> None:
    questions = LARGEST.replace("largest([4])", "largest([3, 5, 4])").replace("returns: 4,", "returns: 5,")
    (remark,) = remarks(validated(tmp_path, questions=questions + DIVISORS), Check.SECRETS)
    assert (remark.gravity, remark.case) == (Gravity.ODD, "largest.6")


def test_a_rule_that_nothing_breaks_is_a_note(tmp_path) -> None:
    questions = LARGEST + DIVISORS + "      - {rule: no globals}\n"
    (remark,) = remarks(validated(tmp_path, questions=questions), Check.FAILURES)
    assert (remark.gravity, remark.case) == (Gravity.NOTE, "divisors.5")


def test_a_mutant_that_passes_is_listed_with_an_input(tmp_path) -> None:
    questions = LARGEST + (
        "  - id: divisors\n    title: divisors\n    marks: 1\n    cases:\n"
        '      - {call: divisors(1), returns: "[1]"}\n      - {call: divisors(2), returns: "[1, 2]"}\n'
    )
    options = Options(jobs=2, mutants=30)
    wrong = {"first": "def largest(xs):\n    return xs[0]\n\n\ndef divisors(n):\n    return [n]\n"}
    expected = "first: {mark: 0}\n"
    found = validated(tmp_path, options=options, questions=questions, wrong=wrong, expected=expected)
    (divisors,) = (question for question in found.questions if question.id == "divisors")
    assert divisors.caught
    assert divisors.survivors
    for survivor in divisors.survivors:
        distinction = survivor.distinction
        assert distinction is not None
        assert distinction.reference != distinction.mutant
        assert distinction.call in distinction.lines[0]
    assert not found.is_well


def test_a_mutant_that_fails_a_needed_case_of_another_question_is_caught(tmp_path) -> None:
    again = (
        "  - id: again\n    title: again\n    marks: 1\n    cases:\n"
        '      - {call: "largest([4])", returns: 4, needs: [NEEDS]}\n'
    )
    found = {}
    for needs in ("", "largest.1"):
        folder = tmp_path / str(len(needs))
        folder.mkdir()
        questions = LARGEST + again.replace("NEEDS", needs)
        validation = validated(folder, questions=questions, options=Options(jobs=2, mutants=20))
        found[needs] = next(question.caught for question in validation.questions if question.id == "again")
    assert found["largest.1"] > found[""] > 0


def test_a_smoke_test_asks_no_question_about_what_it_calls(tmp_path) -> None:
    smoke = (
        "  - id: smoke\n    title: smoke\n    marks: 1\n    cases:\n"
        '      - {name: all, scenario: [{call: "largest([1])"}, {call: divisors(2)}]}\n'
    )
    head = HEAD.replace("marks: 2", "marks: 3")
    head = head.replace("questions:", 'smoke: {cases: ["smoke.all"], penalty: 10%}\nquestions:')
    options = Options(jobs=2, mutants=10)
    found = validated(tmp_path, head=head, questions=LARGEST + DIVISORS + smoke, options=options)
    largest, divisors, everything = found.questions
    assert largest.caught > 0 < divisors.caught
    assert everything.total == 0 == len(everything.alike)


def test_an_equivalent_mutant_counts_for_nothing(tmp_path) -> None:
    options = Options(jobs=2, mutants=30)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    before = validated(tmp_path / "a", options=options)
    (alike,) = (one for question in before.questions for one in question.alike if question.id == "largest")
    entry = f"- {{mutant: {alike.mutant.id}, reason: equal ones are the same}}\n"
    after = validated(tmp_path / "b", options=options, equivalent=entry)
    largest = next(question for question in after.questions if question.id == "largest")
    assert largest.alike == ()
    assert [one.reason for one in largest.equivalent] == ["equal ones are the same"]


def test_an_equivalent_mutant_may_be_one_that_is_not_tried(tmp_path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    before = validated(tmp_path / "a", options=Options(jobs=2, mutants=30))
    (alike,) = (one for question in before.questions for one in question.alike if question.id == "largest")
    entries = "".join(
        f"- {{mutant: {id}, reason: equal ones are the same}}\n" for id in (alike.mutant.id, "work.gone/x/1")
    )
    after = validated(tmp_path / "b", options=Options(jobs=2, mutants=1), equivalent=entries)
    texts = [remark.text for remark in remarks(after, Check.MUTANTS)]
    assert texts == ["equivalent.yaml, mutant work.gone/x/1: there is no such mutant (any more)"]


def test_a_second_run_keeps_every_result(tmp_path) -> None:
    options = Options(jobs=1, mutants=4, known=tmp_path / "known.json")
    first = validated(tmp_path, options=options)
    second = validated(tmp_path, options=options)
    assert first.kept == 0
    assert second.kept > 0
    assert (second.remarks, second.questions) == (first.remarks, first.questions)
    other = validated(tmp_path, options=options, questions=LARGEST + DIVISORS.replace("[1, 7]", "[1, 7.0]"))
    assert 0 < other.kept < second.kept


def test_a_quick_run_leaves_out_the_search(tmp_path) -> None:
    found = validated(tmp_path, options=Options(jobs=1, quick=True))
    assert found.quick
    assert found.mutants <= 40
    assert Check.STEADY not in found.checks
    assert all(question.survivors == () for question in found.questions)


def test_a_quick_run_finds_a_wrong_declaration(tmp_path) -> None:
    expected = "first: {verdicts: {largest.2: accepted}}\n"
    found = validated(tmp_path, options=Options(jobs=1, quick=True), expected=expected)
    (remark,) = remarks(found, Check.PROGRAMS)
    assert remark.details == (("verdict largest.2", "declared accepted, got exception"),)
