"""Inputs near those of a question's cases: what is tried, in which order, and what holds for all cases."""

from itertools import islice
from pathlib import Path

import pytest
from support.pasting import Spec, copied, written

from grader.model.kinds import calls_of
from grader.plugins.validate.search.inputs.input import Input, inputs_elsewhere, own_inputs
from grader.plugins.validate.search.inputs.regularities import Regularities
from grader.plugins.validate.search.inputs.stream import near_inputs
from grader.plugins.validate.search.paste import pasted
from grader.plugins.validate.search.search import _distance
from grader.spec.writing.cases import Writer

REFERENCE = "def on(x, path):\n    return x in path\n\n\ndef off(n):\n    return n\n"


def spec_of(folder: Path, cases: str, other: str = "") -> Spec:
    text = "questions:\n  - id: a\n    title: A\n    marks: 1\n    cases:\n" + cases
    if other:
        text = text.replace("marks: 1", "marks: 0.5")
        text += "  - id: b\n    title: B\n    marks: 0.5\n    cases:\n" + other
    return written(folder, REFERENCE, text)


PATHS = """
      - {call: "on((1, 1), [(1, 1), (2, 3)])", returns: true}
      - {call: "on((2, 3), [(2, 3), (0, 2), (1, 4)])", returns: true}
      - {call: "on((0, 1), [(0, 1), (2, 2)])", returns: true}
"""


def first(spec: Spec, number: int) -> list[Input]:
    return list(islice(near_inputs(spec.task, spec.question("a")), number))


def test_no_input_is_tried_twice_and_none_of_the_cases(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, PATHS)
    keys = [one.key() for one in first(spec, 300)]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {one.key() for one in own_inputs(spec.question("a"))}


def test_inputs_stay_near_their_seeds(tmp_path: Path) -> None:
    for one in first(spec_of(tmp_path, PATHS), 300):
        assert 1 <= one.edits <= 3
        assert _distance(one) >= 1
        assert calls_of(one.origin.template).calls[0].function == "on"


def test_the_order_is_the_same_each_time(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, PATHS)
    assert [one.key() for one in first(spec, 200)] == [one.key() for one in first(spec, 200)]


def test_what_other_questions_try_comes_first(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, PATHS, '      - {call: "on((7, 7), [])", returns: false}\n')
    assert first(spec, 1)[0].calls[0].args == ((7, 7), [])
    own = own_inputs(spec.question("a"))
    assert len(inputs_elsewhere(spec.task, spec.question("a"), own)) == 1


def test_an_argument_that_is_inside_another_is_changed_with_it(tmp_path: Path) -> None:
    inside = 0
    for one in first(spec_of(tmp_path, PATHS), 60):
        square, path = one.calls[0].args
        inside += isinstance(path, list) and square in path
    assert inside > 20


def test_what_holds_for_the_cases_is_read_off_them(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, PATHS)
    own = own_inputs(spec.question("a"))
    known = Regularities(own)
    assert not any(known.broken(one) for one in own)
    outside = own[0].with_value(("call", 0, 0), (0, 0), 1)
    assert known.broken(outside) == {"argument 1 is not in argument 2"}
    twice = own[0].with_value(("call", 0, 1), [(1, 1), (1, 1)], 1)
    assert "two items of a list are the same" in known.broken(twice)
    far = own[0].with_value(("call", 0, 1), [(1, 1), (9, 3)], 1)
    assert "9 is not from 0 to 2" in known.broken(far)


def test_few_cases_show_nothing_but_bounds(tmp_path: Path) -> None:
    spec = spec_of(tmp_path, '      - {call: "on((1, 1), [(1, 1), (2, 3)])", returns: true}\n')
    own = own_inputs(spec.question("a"))
    assert not Regularities(own).broken(own[0].with_value(("call", 0, 0), (1, 2), 1))


# -- pasting ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["shogun", "knights-tour", "mandelbrot"])
def test_calls_of_the_sample_specs_are_read_back_as_they_were(tmp_path: Path, name: str) -> None:
    spec = copied(name, tmp_path)
    task, before = spec.task, {}
    for question in task.questions:
        writer = Writer(task)
        before[question.id] = [one for one in own_inputs(question) if not calls_of(one.template).watch][:12]
        cases = [
            pasted(one.template, writer, certain=True, time_s=None, odd=()) for one in before[question.id]
        ]
        spec.paste(question.id, tuple(line for lines in cases for line in lines))
    for question in spec.task.questions:
        own = before[question.id]
        again = [Input(case).key() for case in question.cases[-len(own) :]]
        assert again == [one.key() for one in own]


@pytest.mark.parametrize("value", [2j, -2j, complex(0, -2), 1 - 2j, -1 + 2j, 0j, -1.5 - 0.5j, 3 + 0j])
def test_complex_numbers_are_sums_of_the_spec(tmp_path: Path, value: complex) -> None:
    spec = spec_of(tmp_path, "      - {call: off(1), returns: 1}\n")
    question = spec.question("a")
    (one,) = own_inputs(question)
    changed = one.with_value(("call", 0, 0), value, 1)
    spec.paste("a", pasted(changed.template, Writer(spec.task), certain=True, time_s=None, odd=()))
    (again,) = calls_of(spec.question("a").cases[-1]).calls[0].args
    assert repr(again) == repr(value)
