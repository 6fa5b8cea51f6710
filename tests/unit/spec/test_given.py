"""Generated cases as a spec states them: what is drawn, and that it is drawn the same everywhere."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.model.case import Case, Check, Raises, Returns, SameAsReference
from grader.model.kinds import calls_of
from grader.model.values import Record
from grader.spec import load_task
from grader.spec.decode.calling.inputs import inputs_of, read_inputs, recorded_inputs, seed_of
from grader.spec.given import strategies
from grader.spec.given.drawing import draw_rows, smallest

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

LEGAL = 'call: "is_legal(dim, path, x)"\n  returns: same as reference\n  given:\n'
DIM = '- {call: "is_legal(dim, [], (0, 0))", returns: same as reference, given: {dim: "integers(1, 8)"}}'


def legal(**given: str) -> str:
    lines = {"dim": "8", "path": "[]", "x": "(0, 0)"} | given
    return "- " + LEGAL + "".join(f"    {name}: {text}\n" for name, text in lines.items())


def rows(case: Case) -> tuple[tuple[object, ...], ...]:
    what = calls_of(case)
    assert what.generated is not None
    return what.generated.rows


def test_each_input_has_a_call_and_an_expectation(spec: "SmallSpec") -> None:
    case = spec.case(DIM)
    what = calls_of(case)
    assert case.text == "is_legal(dim, [], (0, 0)) for 8 inputs"
    assert sorted(call.text for call in what.calls) == [f"is_legal({n}, [], (0, 0))" for n in range(1, 9)]
    assert all(isinstance(step.expect, SameAsReference) for step in what.steps)
    assert len(what.steps) == len(what.calls) == len(rows(case)) == 8


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("integers(-5, 5)", {int}),
        ("floats(0, 1)", {float}),
        ("booleans()", {bool}),
        ("none()", {type(None)}),
        ("text('ab', max_size=3)", {str}),
        ("binary(max_size=3)", {bytes}),
        ("lists(integers(), max_size=3)", {list}),
        ("sets(integers(0, 9))", {set}),
        ("frozensets(integers(0, 9))", {frozenset}),
        ("dictionaries(text('ab'), booleans())", {dict}),
        ("tuples(integers(), booleans())", {tuple}),
        ("one_of(integers(), text('ab'))", {int, str}),
        ("sampled_from([1, 'b'])", {int, str}),
        ("permutations([1, 2, 3])", {list}),
        ("just(7)", {int}),
        ("Point(integers(), 1)", {Record}),
        ("'[1, integers(), (text(''ab''),)]'", {list}),
        ("lists(Point(integers(0, 3), booleans()))", {list}),
        ("2 * integers(0, 3) + 1", {int}),
        ("date(2024, integers(1, 12), 1)", {date}),
        ("range(integers(1, 12))", {range}),
        ("lists(integers(), max_size=integers(0, 2))", {list}),
    ],
)
def test_what_strategies_draw(spec: "SmallSpec", text: str, kinds: set[type]) -> None:
    module = spec.folder / "reference" / "knight1.py"
    module.write_text(module.read_text() + "\n\nclass Point:\n    pass\n")
    case = spec.case(legal(path=text), "types: {Point: {fields: [x, y]}}")
    assert {type(path) for _, path, _ in rows(case)} == kinds


def test_later_names_depend_on_earlier_ones_and_on_let(spec: "SmallSpec") -> None:
    case = spec.case(
        legal(dim="integers(1, most)", x="tuples(integers(0, dim), just(dim))"), "let: {most: 3}"
    )
    drawn = rows(case)
    assert {dim for dim, _, _ in drawn} == {1, 2, 3}
    assert all(x[0] <= dim == x[1] for dim, _, x in drawn if isinstance(x, tuple))


def test_a_function_of_the_checkers_file_makes_values(spec: "SmallSpec") -> None:
    (spec.folder / "checkers.py").write_text(
        "def paths(random, dim):\n"
        "    return [(random.randrange(dim), 0) for _ in range(random.randint(0, 3))]\n"
    )
    case = spec.case(legal(dim="integers(2, 4)", path="paths(dim)"))
    drawn = rows(case)
    assert len({str(path) for _, path, _ in drawn}) > 10
    assert all(step[0] < dim for dim, path, _ in drawn if isinstance(path, list) for step in path)
    assert spec.case(legal(dim="integers(2, 4)", path="paths(dim)")) == case


def test_expectations_can_depend_on_the_input(spec: "SmallSpec") -> None:
    case = spec.case('- {call: "is_legal(n, [], (0, 0))", given: {n: "integers(1, 3)"}, returns: n + 1}')
    wanted = {row[0]: step.expect for row, step in zip(rows(case), calls_of(case).steps, strict=True)}
    assert wanted == {n: Returns(n + 1) for n in (1, 2, 3)}
    case = spec.case('- {call: "is_legal(n, [], (0, 0))", given: {n: "integers(1, 3)"}, check: tour(n)}')
    checks = {step.expect.arguments for step in calls_of(case).steps if isinstance(step.expect, Check)}
    assert checks == {(("dim", n),) for n in (1, 2, 3)}
    case = spec.case('- {call: "is_legal(n, [], (0, 0))", given: {n: "integers(1, 3)"}, raises: ValueError}')
    assert [step.expect for step in calls_of(case).steps] == [Raises("ValueError")] * 3


def test_inputs_can_be_listed(spec: "SmallSpec") -> None:
    text = '- {call: "is_legal(n, [], x)", given: [{n: 1, x: "(0, 0)"}, {x: "(1, 1)", n: 2}], returns: true}'
    case = spec.case(text)
    what = calls_of(case)
    assert rows(case) == ((1, (0, 0)), (2, (1, 1)))
    assert what.generated is not None
    assert not what.generated.drawn
    assert recorded_inputs(spec.load(text)) == b""


def test_the_seed_and_the_strategies_decide(spec: "SmallSpec") -> None:
    wide = '- {call: "is_legal(n, [], (0, 0))", returns: same as reference, given: {n: "integers()"}}'
    first, same = spec.case(wide), spec.case(f"{DIM}\n{wide}")
    assert rows(first) == rows(same), "a case before it changes nothing"
    assert rows(first) != rows(spec.case(wide, "seed: 7"))


@pytest.mark.acceptance  # `make test` has how they are drawn
def test_every_process_draws_the_same(spec: "SmallSpec") -> None:
    path = spec.write(legal(path="sets(text(), max_size=4)", x="tuples(integers(), floats())"))
    here = recorded_inputs(load_task(path))
    script = (
        "import sys, json, email, grader.cli.run, grader.plugins.cluster.cluster\n"
        "from pathlib import Path\n"
        "from grader.spec import load_task\n"
        "from grader.spec.decode.calling.inputs import recorded_inputs\n"
        "sys.stdout.buffer.write(recorded_inputs(load_task(Path(sys.argv[1]))))\n"
    )
    there = subprocess.run([sys.executable, "-c", script, path], capture_output=True, check=True)
    assert there.stdout == here


def test_recorded_inputs_are_not_drawn_again(spec: "SmallSpec", monkeypatch: pytest.MonkeyPatch) -> None:
    path = spec.write(legal(path="dictionaries(text(), floats(-1, 1))", x="sampled_from([b'', {1}, None])"))
    task = load_task(path)
    monkeypatch.setattr("grader.kinds.calls.reading.given.draw_rows", lambda *_: pytest.fail("drawn again"))
    again = load_task(path, recorded_inputs(task))
    assert again == task
    assert task.files[-1].path.name == "small.yaml.drawn"
    kept = json.loads(task.files[-1].content)
    kept["1.1"] = kept["1.1"][:3]
    other = load_task(path, json.dumps(kept).encode())
    assert len(calls_of(other.cases[0]).calls) == 3
    assert other.spec_sha256 != task.spec_sha256, "the inputs are a part of the spec"
    assert read_inputs(b"", path) == {}


def test_drawing_that_takes_long_is_told(spec: "SmallSpec", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.spec.decode.calling.inputs.DRAW_S", -1.0)
    (fault,) = spec.faults(DIM)
    assert fault.message == f"drawing its inputs takes more than {strategies.DRAW_S:g} s"


def test_the_search_begins_with_what_was_drawn_and_makes_it_smaller(spec: "SmallSpec") -> None:
    text = '- {call: "is_legal(8, p, (0, 0))", returns: same as reference, given: {p: "lists(integers())"}}'
    task = spec.load(text)
    case = task.cases[0]
    what = calls_of(case)
    assert what.generated is not None
    inputs, seed = inputs_of(task, case), seed_of(what.generated, task.seed)
    assert draw_rows(inputs.strategy(None), 50, seed) == list(rows(case))
    tried: list[list[int]] = []

    def fails(row: tuple[object, ...]) -> bool:
        (path,) = row
        assert isinstance(path, list)
        tried.append(path)
        return len(path) >= 2 and sum(path) > 10

    smallest(inputs.strategy(None), fails, 50, seed)
    failing = [path for path in tried if len(path) >= 2 and sum(path) > 10]
    assert min(failing, key=lambda path: (len(path), sum(map(abs, path)))) in ([0, 11], [11, 0])
    first = next(number for number, path in enumerate(tried) if path in failing)
    assert [(path,) for path in tried[: first + 1]] == list(rows(case))[: first + 1]


def test_hypothesis_is_imported_for_such_cases_alone(spec: "SmallSpec") -> None:
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from grader.cli import main\nfrom grader.spec import load_task\n"
        "load_task(Path(sys.argv[1]))\nassert 'hypothesis' not in sys.modules\n"
    )
    path: Path = spec.write('- {call: "is_legal(n, [], (0, 0))", given: [{n: 1}], returns: true}')
    subprocess.run([sys.executable, "-c", script, path], check=True)
