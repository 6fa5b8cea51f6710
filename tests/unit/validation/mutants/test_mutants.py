"""Which parts of a reference are mutated, how mutants are named, and their order."""

import ast
from dataclasses import replace

import pytest
from support.mutant_sample import a_case, a_program, a_task, mutants

from grader.model.case import Raises
from grader.plugins.validate.mutants import mutants_of


def places(reference, *cases) -> set[str]:
    return {f"{mutant.module}.{mutant.function}" for mutant in mutants(reference, *cases)}


TWO = """
    LIMIT = 3

    def f(n):
        return helper(n) + 1

    def helper(n):
        return n < LIMIT

    def unused(n):
        return n + OTHER

    OTHER = 4
"""


def test_parts_that_no_case_reaches_are_left_alone():
    assert places(TWO) == {"work.f", "work.helper", "work.LIMIT"}


def test_the_nearest_parts_come_first():
    found = mutants(TWO)
    assert found[0].function == "f"
    assert {each.function for each in found[:3]} == {"f", "helper"} or found[1].function == "f"


def test_parts_are_followed_into_other_modules():
    reference = {
        "work": "import far\nfrom near import g as h\n\ndef f(n):\n    return h(n) + far.k(n)\n",
        "near": "def g(n):\n    return n + 1\n\ndef unused(n):\n    return n + 2\n",
        "far": "def k(n):\n    return n * 2\n",
        "plain": "def f(n):\n    return n + 1\n",
    }
    task = a_task(reference)
    task = replace(task, modules=(("work", "work.py"),))
    found = mutants_of(task)
    assert {f"{mutant.module}.{mutant.function}" for mutant in found} == {"work.f", "near.g", "far.k"}
    assert all(set(mutant.sources) == {"work", "near", "far"} for mutant in found)


def test_methods_that_nothing_asks_for_are_left_alone():
    reference = """
        class C:
            N = 3

            def __init__(self, n):
                self.n = n + 1

            def used(self):
                return self._inner() + 1

            def _inner(self):
                return self.n + self.N

            def unused(self):
                return self.n + 2
    """
    found = places(reference, a_case("C", [1]), a_case("c.used", []))
    assert found == {"work.C", "work.C.__init__", "work.C.used", "work.C._inner"}


def test_methods_behind_a_property_are_reached():
    reference = """
        class C:
            def __init__(self):
                self.n = 3

            def _size(self):
                return self.n + 1

            size = property(_size)

        def f(n):
            return C().size
    """
    assert "work.C._size" in places(reference)


def test_program_is_followed_from_its_main_guard():
    reference = """
        def main():
            print(1 + g())

        def g():
            return 2

        def unused():
            return 3

        if __name__ == "__main__":
            main()
    """
    assert places(reference, a_program()) == {"work.main", "work.g"}


def test_handout_is_left_alone(tmp_path):
    (tmp_path / "sample" / "handout").mkdir(parents=True)
    given = 'def helper(n):\n    """Another docstring."""\n    return n < LIMIT\n\nLIMIT = 2\n'
    (tmp_path / "sample" / "handout" / "work.py").write_text(given)
    task = a_task(TWO, spec=tmp_path / "sample.yaml")
    assert {mutant.function for mutant in mutants_of(task)} == {"f", "LIMIT"}


@pytest.mark.parametrize(
    "body",
    [
        '"""A number: 3."""',
        "x: 'list[3]'",
        "raise ValueError(n + 1)",
        "assert n, 'a + b' + 'c'",
    ],
)
def test_what_students_do_not_get_wrong_is_left_alone(body):
    found = mutants(f"def f(n: 'a < b'):\n    {body}\n")
    assert {mutant.operator for mutant in found} <= {"not-raised", "other-exception"}


def test_message_of_an_exception_counts_where_a_case_compares_it():
    reference = "def f(n):\n    raise ValueError(n + 1)\n"
    compared = a_case("f", [1], expect=Raises("ValueError", "2"))
    assert any(mutant.operator == "off-by-one" for mutant in mutants(reference, compared))


def test_names_for_types_are_left_alone():
    reference = """
        from typing import TypeAlias
        Pair: TypeAlias = tuple[int, int]
        def f(n):
            return Pair((n, n))
    """
    assert "work.Pair" not in places(reference)


def test_id_stays_when_other_parts_change():
    task = "def f(n):\n    return n + 1 if n < 2 else n - 1\n"
    changed = "import os\n\nA = 3\n\ndef g(n):\n    return 1\n\n" + task
    assert [m.id for m in mutants(task)] == [m.id for m in mutants(changed)]


def test_ids_differ_where_lines_are_equal():
    found = mutants("def f(n):\n    n += 1\n    n += 1\n    return n\n")
    assert len({mutant.id for mutant in found}) == len(found)


def test_each_program_comes_once():
    found = mutants("def f(n):\n    return n < 3 and n < 4\n")
    trees = [ast.dump(ast.parse(mutant.sources["work"])) for mutant in found]
    assert len(set(trees)) == len(trees)


def test_statement_that_binds_two_names_is_mutated_once():
    found = mutants("A, B = 1, 2\n\ndef f(n):\n    return A, B\n")
    trees = [ast.dump(ast.parse(mutant.sources["work"])) for mutant in found]
    assert {mutant.function for mutant in found} == {"f", "A"}
    assert len(set(trees)) == len(trees)


def test_rest_of_the_file_stays_as_it_is():
    reference = "# A header.\n\ndef f( n ):  # spaces\n    return  n<1\n\n\n# The end.\n"
    for mutant in mutants(reference):
        assert mutant.sources["work"].startswith("# A header.\n\ndef f( n ):  # spaces\n")
        assert mutant.sources["work"].endswith("\n\n\n# The end.\n")


def test_places_are_characters_not_bytes():
    found = mutants('def f(n):\n    ä = "é"; return (n, "äé", 3)[n] < 2\n')
    assert 'ä = "é"; return (n, "äé", 4)[n] < 2' in {mutant.after for mutant in found}


def test_line_is_that_of_the_reference():
    found = mutants("\n\ndef f(n):\n    m = n\n    return m < 2\n")
    assert {m.line for m in found if m.operator == "boundary"} == {5}
    assert {(m.before, m.after) for m in found if m.operator == "boundary"} == {
        ("return m < 2", "return m <= 2")
    }


def test_first_ones_are_spread_over_functions():
    lines = "".join(f"def f{k}(n):\n    return n + 1 < 3\n\n" for k in range(5))
    found = mutants_of(a_task(lines, *(a_case(f"f{k}", [1]) for k in range(5))), most=5)
    assert [mutant.function for mutant in found] == ["f0", "f1", "f2", "f3", "f4"]


def test_task_without_reference_has_no_mutants():
    assert mutants_of(replace(a_task("def f(n):\n    return 1\n"), reference=None)) == []
