"""A search finds an input that tells a program from the reference, and its lines belong into the spec."""

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.pasting import Spec, copied, tools_for, written

from grader.model.verdict import Verdict
from grader.plugins.validate.mutants import mutants_of
from grader.plugins.validate.search import Distinction, NotFound, Search
from grader.plugins.validate.work.jobs import SearchJob

DEADLINE_S = 12.0
"""The share of a search, which is a number of inputs: 3,000 calls, or 180 programs."""


def search(spec: Spec, question: str, program: Mapping[str, str], deadline_s: float = DEADLINE_S):
    task = spec.task
    with tools_for(task) as tools, Search(tools, task) as searching:
        return searching.distinguish(spec.question(question), program, deadline_s)


def found(spec: Spec, question: str, program: Mapping[str, str]) -> Distinction:
    """Search, paste the lines into the spec, and see that they catch the program and not the reference."""
    before = {result.verdict for result in spec.judged(question, program)}
    assert before == {Verdict.ACCEPTED}, "the program must pass the question first"
    result = search(spec, question, program)
    assert isinstance(result, Distinction), result.text
    case = spec.paste(question, result.lines)
    (right,), (wrong,) = spec.judged(question, spec.sources(), case), spec.judged(question, program, case)
    assert right.verdict is Verdict.ACCEPTED, (right.message, result.lines)
    assert wrong.verdict is not Verdict.ACCEPTED, result.lines
    assert result.certain
    return result


# -- real specs ------------------------------------------------------------------------------------


@pytest.fixture
def shogun(tmp_path: Path) -> Spec:
    """Shogun without the boards that catch the faults below."""
    spec = copied("shogun", tmp_path)
    for name in ("crowd", "edge", "neighbours"):
        spec.without_case(name)
    spec.replace("ring, packed, crowd]", "ring, packed]")
    return spec


@pytest.mark.parametrize("question", ["3", "5"])
def test_a_piece_that_jumps_is_caught(shogun: Spec, question: str) -> None:
    result = found(shogun, question, shogun.wrong("jumps"))
    assert "Colour." not in "\n".join([*result.lines, result.reference, result.mutant])


@pytest.mark.parametrize("question", ["3"])
def test_a_piece_that_turns_twice_is_caught(shogun: Spec, question: str) -> None:
    found(shogun, question, shogun.wrong("two-corners"))


@pytest.fixture
def knights(tmp_path: Path) -> Spec:
    return copied("knights-tour", tmp_path)


def test_an_equivalent_program_is_not_told_apart(knights: Spec) -> None:
    program = knights.sources(("0 <= x[0] < dim", "-1 < x[0] <= dim - 1"), module="knight1")
    result = search(knights, "1", program, 1.0)
    assert isinstance(result, NotFound)
    assert result.inputs > 0
    assert f"over {result.inputs:,} inputs" in result.text
    assert "perhaps it behaves the same" in result.text


def test_an_off_by_one_is_found_for_a_value_that_no_case_has(knights: Spec) -> None:
    program = knights.sources(
        ("    return 0 <= x[0] < dim and", "    return 0 <= x[0] < dim + (dim == 4) and"), module="knight1"
    )
    result = found(knights, "1", program)
    assert "(4, " in result.call


def test_a_different_tour_is_no_fault(knights: Spec) -> None:
    other = knights.sources(("ranking = [-((x", "ranking = [((x"), module="knight1")
    result = search(knights, "5", other, 1.0)
    assert isinstance(result, NotFound)


def test_a_wrong_tour_is_judged_by_the_checker(knights: Spec) -> None:
    program = knights.sources(
        (
            "    return find_path(Goal(dim, path, dim * dim))",
            "    found = find_path(Goal(dim, path, dim * dim))\n"
            "    return found[:-1] + [(3, 0)] if found and len(path) == 2 else found",
        ),
        module="knight1",
    )
    result = found(knights, "5", program)
    assert any("check: tour(" in line for line in result.lines)


def test_a_fault_of_objects_is_found_in_a_scenario(tmp_path: Path) -> None:
    spec = copied("closed-tour", tmp_path)
    program = spec.sources(
        (
            "        return 0 <= s.i < self.m and 0 <= s.j < self.n",
            "        return 0 <= s.i < self.m and 0 <= s.j < max(self.n, 3)",
        )
    )
    result = found(spec, "2", program)
    assert "scenario:" in result.lines[0]


def test_printed_lines_stand_in_the_spec_as_they_are(tmp_path: Path) -> None:
    spec = copied("knights-tour-class", tmp_path)
    program = spec.sources(("(row, column) == self._position:", "(row, column) == self._position != (5, 2):"))
    lines = found(spec, "4", program).lines
    assert any(line.endswith("|2") for line in lines)
    assert "" not in lines


def test_a_count_that_is_off_by_one_is_found(tmp_path: Path) -> None:
    spec = copied("mandelbrot", tmp_path)
    program = spec.sources(("            return max\n", "            return max - (max == 99)\n"))
    assert "99" in found(spec, "1", program).call


# -- kinds of cases --------------------------------------------------------------------------------


def questions(*cases: str, more: str = "") -> str:
    lines = "".join(f"      - {case}\n" for case in cases)
    return (
        f'{more}questions:\n  - id: "1"\n    title: One\n    marks: 1\n    award: each\n    cases:\n{lines}'
    )


HANGS_FOR_2 = ("    return", "    while n == 2:\n        pass\n    return")


def test_a_program_that_hangs_is_caught_by_a_short_limit(tmp_path: Path) -> None:
    spec = written(tmp_path, "def f(n):\n    return n + 1\n", questions("{call: f(3), returns: 4}"))
    result = found(spec, "1", spec.sources(HANGS_FOR_2))
    assert result.call == "f(2)"
    assert result.reference == "3"
    assert "stopped after" in result.mutant
    assert "  limits:" not in result.lines
    assert result.is_sure


def test_a_program_that_may_be_slow_gets_a_time_limit_and_a_person_decides(tmp_path: Path) -> None:
    cases = questions("{call: f(3), returns: 4}", more="limits: {time: 30s}\n")
    spec = written(tmp_path, "def f(n):\n    return n + 1\n", cases)
    result = found(spec, "1", spec.sources(HANGS_FOR_2))
    assert result.lines[0].startswith("# Only this limit tells them apart")
    assert "  limits:" in result.lines
    assert result.slow
    assert not result.is_sure


def test_a_changed_argument_is_found(tmp_path: Path) -> None:
    reference = "def f(xs):\n    return sorted(xs)\n"
    spec = written(tmp_path, reference, questions('{call: "f([1, 2])", returns: [1, 2], unchanged: true}'))
    program = spec.sources(("    return sorted(xs)", "    xs.sort()\n    return list(xs)"))
    result = found(spec, "1", program)
    assert "unchanged: true" in result.lines[-1]
    assert "argument 1" in result.mutant


def test_an_input_has_the_seed_of_its_case(tmp_path: Path) -> None:
    reference = "import random\ndef f(n):\n    return n if random.random() < 0.5 else -n\n"
    case = "{call: f(1), seed: 1, returns: 1}"
    spec = written(
        tmp_path, reference, questions(case, case.replace("seed: 1", "seed: 2").replace("s: 1", "s: -1"))
    )
    one, other = (
        found(spec, "1", spec.sources((old, new)))
        for old, new in (("return n if", "return min(n, 1) if"), ("else -n", "else -min(n, 1)"))
    )
    assert one.lines == ("- call: f(2)", "  returns: 2", "  seed: 1")
    assert other.lines == ("- call: f(2)", "  returns: -2", "  seed: 2")


def test_a_callback_that_is_called_too_often_is_found(tmp_path: Path) -> None:
    reference = (
        "def first(xs, f):\n    for x in xs:\n        if f(x):\n            return x\n    return None\n"
    )
    case = '{call: "first([1, 2], f)", watch: {f: {answer: "lambda x: x > 1", calls: [1, 2]}}, returns: 2}'
    spec = written(tmp_path, reference, questions(case))
    program = spec.sources(
        ("            return x", "            return x if len(xs) < 3 else [y for y in xs if f(y)][0]")
    )
    result = found(spec, "1", program)
    assert "args:" in "\n".join(result.lines)


def test_an_exception_is_expected_where_cases_expect_one(tmp_path: Path) -> None:
    reference = "def half(n):\n    if n < 0:\n        raise ValueError('negative')\n    return n // 2\n"
    spec = written(
        tmp_path, reference, questions("{call: half(4), returns: 2}", "{call: half(-5), raises: ValueError}")
    )
    result = found(spec, "1", spec.sources(("n < 0", "n < -1")))
    assert result.call == "half(-1)"
    assert result.reference == "raises ValueError: negative"
    assert result.lines == ("- call: half(-1)", "  raises: ValueError")


def test_an_input_for_which_the_reference_raises_is_none(tmp_path: Path) -> None:
    reference = "def half(n):\n    if n < 0:\n        raise ValueError('negative')\n    return n // 2\n"
    spec = written(tmp_path, reference, questions("{call: half(4), returns: 2}"))
    result = search(spec, "1", spec.sources(("n < 0", "n < -1")), 1.0)
    assert isinstance(result, NotFound)


def test_a_program_that_knows_the_public_answers_gets_a_hidden_case(tmp_path: Path) -> None:
    reference = "def half(n: int) -> int:\n    return n // 2\n"
    spec = written(tmp_path, reference, questions("{call: half(4), returns: 2}"))
    mutant = next(one for one in mutants_of(spec.task) if one.operator == "examples-only")
    with tools_for(spec.task) as tools, Search(tools, spec.task) as searching:
        bench: Any = SimpleNamespace(config=SimpleNamespace(task=spec.task), search=lambda: searching)
        lines = SearchJob(mutant, "1", 1.0).run(bench)["found"]["lines"]
    assert lines[-1] == "  visibility: hidden"
    case = spec.paste("1", lines)
    (wrong,) = spec.judged("1", mutant.sources, case)
    assert wrong.verdict is Verdict.WRONG_ANSWER


def test_a_text_is_quoted_as_one_would_type_it(tmp_path: Path) -> None:
    reference = "def sign(n: int) -> str:\n    return 'low' if n < 0 else 'high'\n"
    spec = written(tmp_path, reference, questions("{call: sign(-2), returns: \"'low'\"}"))
    result = found(spec, "1", spec.sources(("'high'", "'up'")))
    assert result.lines[-1] == "  returns: \"'high'\""


def test_what_is_printed_is_compared(tmp_path: Path) -> None:
    reference = "def show(n):\n    print('*' * n)\n"
    spec = written(tmp_path, reference, questions('{call: show(2), prints: "**\\n"}'))
    result = found(spec, "1", spec.sources(("'*' * n", "'*' * min(n, 2)")))
    assert result.call == "show(3)"


def test_a_program_is_given_other_input(tmp_path: Path) -> None:
    reference = "n = int(input())\nprint(n * n)\n"
    spec = written(tmp_path, reference, questions('{program: work, stdin: "2\\n", stdout: "4\\n"}'))
    result = found(spec, "1", spec.sources(("n * n", "n + n")))
    assert "stdin:" in "\n".join(result.lines)
    assert result.reference.startswith("prints ")


def test_a_checker_can_refuse_what_no_case_can_state(tmp_path: Path) -> None:
    reference = "def divisors(n):\n    return [d for d in range(1, n + 1) if n % d == 0]\n"
    checkers = (
        "def divides(answer, n, count):\n"
        "    return len(answer) == count and all(n % d == 0 for d in answer)\n"
    )
    case = "{call: divisors(%s), check: 'divides(n=%s, count=%s)'}"
    spec = written(tmp_path, reference, questions(case % (6, 6, 4), case % (9, 9, 3)), checkers)
    result = found(spec, "1", spec.sources(("    return [", "    return [0] if n == 8 else [")))
    assert result.lines == ("- call: divisors(8)", "  check: divides(n=8, count=4)")


def test_without_a_checker_that_fits_only_kinds_of_answers_differ(tmp_path: Path) -> None:
    reference = "def pick(xs):\n    return xs[0] if xs else 0\n"
    checkers = "def one_of(answer, xs, tag):\n    return answer in (1, 2) and tag == 'a'\n"
    spec = written(
        tmp_path, reference, questions("{call: 'pick([1, 2])', check: 'one_of(xs=1, tag=\"a\")'}"), checkers
    )
    assert isinstance(search(spec, "1", spec.sources(("xs[0]", "xs[-1]")), 1.0), NotFound)
    result = search(spec, "1", spec.sources(("else 0", "else None")))
    assert isinstance(result, Distinction)
    assert not result.certain
    assert result.lines[0].startswith("# Many answers may be right")
    assert (result.call, result.reference, result.mutant) == ("pick([])", "0", "None")


def test_the_spec_can_say_which_inputs_are_valid(tmp_path: Path) -> None:
    reference = "def f(n):\n    return n\n"
    checkers = "def is_valid_input(function, n):\n    return function == 'f' and n % 2 == 0\n"
    spec = written(
        tmp_path, reference, questions("{call: f(4), returns: 4}", "{call: f(8), returns: 8}"), checkers
    )
    assert isinstance(search(spec, "1", spec.sources(("return n", "return n - n % 2")), 1.0), NotFound)
    result = found(spec, "1", spec.sources(("return n", "return 0 if n == 2 else n")))
    assert result.call == "f(2)"


def test_a_smaller_input_is_valid_too(tmp_path: Path) -> None:
    reference = "def f(xs):\n    return 0\n"
    checkers = "def is_valid_input(function, xs):\n    return len(xs) > 2\n"
    spec = written(tmp_path, reference, questions("{call: 'f({1, 2, 3, 4})', returns: 0}"), checkers)
    result = found(spec, "1", spec.sources(("return 0", "return int(4 not in xs)")))
    assert result.call.count(",") == 2


@pytest.mark.parametrize(
    "case",
    [
        '{program: work, stdin: "10\\n", stdout: "10\\n"}',
        "{program: work, player: \"type_in(lines=['10'])\", stdout: same as reference}",
    ],
)
def test_the_spec_can_say_what_programs_can_be_given(tmp_path: Path, case: str) -> None:
    reference = "size = input()\nprint(size if size.isdigit() else 'no number')\n"
    player = (
        "def type_in(turns, lines):\n    return lines[len(turns) - 1] if len(turns) <= len(lines) else None\n"
    )
    valid = (
        "def is_valid_input(program, given):\n"
        "    lines = given['player'].get('lines') or given['stdin'].split('\\n')\n"
        "    return program == 'work' and given['arguments'] == [] and lines[0].isdigit()\n"
    )
    specs = []
    for name, checkers in (("any", player), ("numbers", player + valid)):
        (tmp_path / name).mkdir()
        specs.append(written(tmp_path / name, reference, questions(case), checkers))
    program = specs[0].sources(("no number", "none"))
    assert isinstance(search(specs[0], "1", program), Distinction)
    assert isinstance(search(specs[1], "1", program, 2.0), NotFound)


def test_a_program_that_cannot_be_imported_is_said_to_be_so(tmp_path: Path) -> None:
    spec = written(tmp_path, "def f(n):\n    return n\n", questions("{call: f(4), returns: 4}"))
    result = search(spec, "1", {"work": "import nothing_of_this_name\n"})
    assert isinstance(result, NotFound)
    assert result.text.startswith("no search: it cannot be imported")


def test_an_input_unlike_those_of_the_cases_is_said_to_be_so(tmp_path: Path) -> None:
    reference = "def place(x, xs):\n    return xs.index(x) if x in xs else -1\n"
    call = "place(({0}, 1), [(0, 1), ({0}, 1), (9, 1)])"
    cases = [f'{{call: "{call.format(n)}", returns: 1}}' for n in (2, 4, 6)]
    spec = written(tmp_path, reference, questions(*cases))
    result = found(spec, "1", spec.sources(("-1", "-2")))
    assert "argument 1 is not in argument 2" in result.odd
    assert result.lines[0].startswith("# Unlike in nearly all cases, ")
