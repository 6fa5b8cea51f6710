"""What is taken of a notebook: the code of its cells, and nothing else."""

import json
import textwrap
from collections.abc import Callable

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbformat import v3, v4

from grader.intake.source.notebook import CELLS_MAX, NOTEBOOK_MAX_B, code_of_notebook
from grader.intake.source.text import Care, Repaired
from grader.intake.trees.tree import SOURCE_MAX_B
from grader.model.submission import ALL_CELLS, Cells
from grader.wire.notebook import MARK, cells_of


def read(data: bytes | str, wanted: Cells = ALL_CELLS) -> Repaired:
    return code_of_notebook(data.encode() if isinstance(data, str) else data, wanted, Care())


def of_cells(*sources: object) -> str:
    """Return a notebook of code cells as JSON."""
    return json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": each} for each in sources]})


def code(found: Repaired) -> dict[int, str]:
    return {cell.number: cell.text for cell in cells_of(found.text)}


def test_a_command_that_goes_on_is_left_out_whole() -> None:
    text = "!pip install \\\n    numpy \\\n  scipy\nif True:\n    !ls \\\n -l\nx = 1"
    assert code(read(of_cells(text))) == {1: "pass\n\n\nif True:\n    pass\n\nx = 1"}


# -- what is read ------------------------------------------------------------------------------------


def written(version: int) -> str:
    """Return a notebook as nbformat writes it."""
    if version == 4:
        cells = [v4.new_markdown_cell("# x"), v4.new_code_cell("a = 1\nb = 2"), v4.new_raw_cell("raw")]
        cells += [v4.new_code_cell("c = 3", metadata={"tags": ["answer"]})]
        return str(nbformat.writes(v4.new_notebook(cells=cells)))
    cells = [
        v3.new_text_cell("markdown", "# x"),
        v3.new_code_cell("a = 1\nb = 2"),
        v3.new_text_cell("raw", "r"),
    ]
    cells += [v3.new_code_cell("c = 3")]
    return str(nbformat.writes(v3.new_notebook(worksheets=[v3.new_worksheet(cells=cells)]), version=3))


@pytest.mark.filterwarnings("ignore")  # nbformat's own
@pytest.mark.parametrize("version", [3, 4])
def test_the_code_is_what_nbformat_reads(version: int) -> None:
    text = written(version)
    whole = nbformat.reads(text, as_version=4)
    wanted = {at: cell.source for at, cell in enumerate(whole.cells, 1) if cell.cell_type == "code"}
    assert code(read(text)) == wanted == {2: "a = 1\nb = 2", 4: "c = 3"}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r%!?")).filter(
            lambda text: not text.lstrip(" \t\n") or text.lstrip("\n")[:1] not in (" ", "\t")
        ),
        max_size=6,
    )
)
def test_any_source_is_what_nbformat_reads(sources: list[str]) -> None:
    text = nbformat.writes(v4.new_notebook(cells=[v4.new_code_cell(each) for each in sources]))
    cells = nbformat.reads(text, as_version=4).cells
    wanted = {at: cell.source.rstrip("\n") for at, cell in enumerate(cells, 1) if cell.source.strip()}
    assert code(read(text)) == {
        at: text for at, text in wanted.items() if any(map(str.strip, text.split("\n")))
    }


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("    def f():\n        return 1", "def f():\n    return 1"),
        ("\n  \n\tx = 1\n\t\n\ty = 2", "\n  \nx = 1\n\ny = 2"),
        ("  x = 1\ny = 2\n z = 3", "x = 1\ny = 2\n z = 3"),
        ("  %time f = 1\n  !ls", "f = 1\npass"),
        ("x = 1\n  y = 2", "x = 1\n  y = 2"),
    ],
)
def test_an_indented_cell_is_read_from_its_margin_as_in_jupyter(source: str, kept: str) -> None:
    assert code(read(of_cells(source))) == {1: kept}


def test_cells_are_chosen_by_tag_number_or_name() -> None:
    text = written(4)
    assert code(read(text, Cells(tags=("answer",)))) == {4: "c = 3"}
    assert code(read(text, Cells(numbers=(2, 3)))) == {2: "a = 1\nb = 2"}
    sources = [
        "def f(x):\n    pass",
        "class G(H): pass",
        "async  def h(): pass",
        "    f = 1",
        "f(1)",
        "i: int = 3",
    ]
    text = of_cells(*sources, "print(f)", "f = 2")
    assert list(code(read(text, Cells(define=("f",))))) == [1, 4, 8]
    assert list(code(read(text, Cells(define=("G", "h", "i"))))) == [2, 3, 6]
    none = read(text, Cells(numbers=(99,)))
    assert (none.text, none.repairs) == ("", ("no cell with code was found that the task asks for",))


# -- what is left out --------------------------------------------------------------------------------


def test_commands_to_jupyter_are_left_out_and_told() -> None:
    source = "%matplotlib inline\nimport math\nif True:\n    !pip install \\\n        foo\n"
    source += "files = !ls\nmath?\n?math"
    found = read(of_cells(source, "%%bash\nrm -rf /", "%%time\nx = 1"))
    lines = ["pass", "import math", "if True:", "    pass", "", "pass", "pass", "pass"]
    assert code(found) == {1: "\n".join(lines), 3: "pass\nx = 1"}
    assert found.repairs[0].startswith(
        "left out, since it is no Python: line 1 of cell 1 (%matplotlib inline), line 4 of cell 1 (!pip"
    )


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("%time x = f(3)", "x = f(3)"),
        ("if True:\n    %time x = f(3)", "if True:\n    x = f(3)"),
        ("x = %time f(3)", "x = f(3)"),
        ("%time x = f(\\\n  3)", "x = f(\\\n  3)"),
        ("%time f(3);", "f(3);"),
        ("%time", "pass"),
        ("%time ", "pass"),
        ("%time !ls", "pass"),
        ("%time %run x", "pass"),
        ("%timeit x = f(3)", "pass"),
        ("%timer x", "pass"),
    ],
)
def test_the_code_that_is_timed_stays(line: str, kept: str) -> None:
    assert code(read(of_cells(line))) == {1: kept}


def test_of_a_timed_line_nothing_is_told() -> None:
    assert not any("left out" in repair for repair in read(of_cells("%time x = 1")).repairs)


def test_the_line_below_a_command_that_goes_on_is_no_statement() -> None:
    compile(code(read(of_cells("if True:\n    x = 1\n!pip \\\nfoo\ny = 2")))[1], "", "exec")


@pytest.mark.parametrize(
    "source",
    [
        "x = (a\n% b)",
        "x = '''\n%time\n!ls\n'''",
        "x = a \\\n% b",
        "x = [\n!1]",
        "# %time",
        "x == 3",
        "x != 3",
    ],
)
def test_what_only_looks_like_a_command_stays(source: str) -> None:
    found = read(of_cells(source))
    assert code(found) == {1: source}
    assert not found.repairs


# -- hostile notebooks -------------------------------------------------------------------------------

BROKEN: dict[str, str | bytes] = {
    "empty": "",
    "no object": "[]",
    "a number": "1",
    "no cells": "{}",
    "cells of another kind": '{"cells": 3}',
    "sheets of another kind": '{"worksheets": [3]}',
    "cut off": of_cells("x = 1")[:-3],
    "deep lists": "[" * 100_000,
    "deep objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "deep beside cells": '{"cells": [], "a": ' + "[" * 5000 + "]" * 5000 + "}",
    "a million cells": '{"cells": [' + "{}," * 1_000_000 + "{}]}",
    "many cells with code": of_cells(*["x"] * (CELLS_MAX + 1)),
    "much code": of_cells("x" * (SOURCE_MAX_B + 1)),
    "a string without end": '{"cells": "' + '\\"' * 1_000_000,
    "backslashes": "\\" * 1_000_000,
    "quotes": '"' * 1_000_001,
    "a control character": '{"cells": [], "a": "\x01"}',
    "NUL": b"\0" * 1000,
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_what_is_no_notebook_is_told(data: str | bytes) -> None:
    found = read(data)
    assert found.text == ""
    assert found.problem.startswith(("is no notebook: ", "has more than "))


def test_a_bracket_in_a_string_counts_for_nothing() -> None:
    text = "x = '" + '[{"' * 100_000 + "'"
    assert code(read(of_cells(text))) == {1: text}


def test_numbers_are_not_computed() -> None:
    text = of_cells("x = 1")[:-1] + ', "a": [NaN, Infinity, -Infinity, 1e999999999, ' + "9" * 1_000_000 + "]}"
    assert code(read(text)) == {1: "x = 1"}


@pytest.mark.parametrize("source", [None, 3, {"a": 1}, [1], ["x", None], [["x"]], True])
def test_a_source_that_is_no_text_is_an_empty_cell(source: object) -> None:
    assert code(read(of_cells(source, "y = 1"))) == {2: "y = 1"}


def test_the_lines_of_a_source_may_be_a_list() -> None:
    assert code(read(of_cells(["a = 1\r\n", "b = ", "2\n\n"]))) == {1: "a = 1\nb = 2"}


def test_of_keys_that_come_twice_the_last_counts() -> None:
    cell = '{"cell_type": "markdown", "cell_type": "code", "source": "a", "source": "b"}'
    text = f'{{"cells": [], "cells": [{cell}]}}'
    assert code(read(text)) == {1: "b"}


@pytest.mark.parametrize("tags", [3, None, {"answer": 1}, [["answer"]], [{}], "answer"])
def test_tags_of_another_kind_choose_nothing(tags: object) -> None:
    cell = {"cell_type": "code", "source": "x", "metadata": {"tags": tags}}
    found = read(json.dumps({"cells": [cell, 3, None, {"cell_type": ["code"]}]}), Cells(tags=("answer",)))
    assert not found.text


def test_half_characters_are_replaced() -> None:
    found = read('{"cells": [{"cell_type": "code", "source": "x = \'\\udc00\\udc01\\ud83d\\ude00\'"}]}')
    assert code(found) == {1: "x = '\ufffd\ufffd\U0001f600'"}
    assert found.repairs == ("half characters (surrogates) replaced",)


@pytest.mark.parametrize(
    ("encode", "told"),
    [
        (lambda text: b"\xef\xbb\xbf" + text.encode(), "byte order mark removed"),
        (lambda text: text.encode("utf-16"), "read as UTF-16"),
        (lambda text: text.encode("cp1252"), "read as Windows-1252 where it is not valid UTF-8"),
    ],
    ids=["mark", "utf-16", "windows"],
)
def test_other_encodings_are_read_and_told(encode: Callable[[str], bytes], told: str) -> None:
    text = json.dumps(json.loads(of_cells("x = 'ä'")), ensure_ascii=False)
    found = read(encode(text))
    assert code(found) == {1: "x = 'ä'"}
    assert told in found.repairs


SWALLOWING = [
    "x = '''",
    "x = (",
    "if 1:",
    "x = \\",
    "# %% cell 9",
    f"{MARK}# The code",
    "def f(:",
    "\f",
    "'''",
]


@pytest.mark.parametrize("source", SWALLOWING)
def test_no_cell_takes_its_neighbour_with_it(source: str) -> None:
    found = read(of_cells(source, "y = 1"))
    assert code(found)[2] == "y = 1"


@pytest.mark.parametrize("part", ["[]", '"",', '"\\"', "9,", "{", '{"a":0},', "é"])
def test_the_longest_notebooks_of_one_kind_are_read_at_once(part: str) -> None:
    # What is quadratic would take hours.
    text = f'{{"cells": [], "a": [{part * ((NOTEBOOK_MAX_B - 40) // len(part.encode()))}'
    assert not read(text).text


def test_magic_lines_without_end_are_read_at_once() -> None:
    assert len(code(read(of_cells("%a\n" * 200_000)))) == 1
    assert not read(of_cells("(" * 900_000, "a" * 30 + "?" + "a." * 20_000)).problem


def test_the_code_is_what_a_person_would_copy() -> None:
    text = textwrap.dedent(
        """\
        # The code of a notebook. Cells and their first lines: 1:3 2:5
        # %% cell 1
        x = 1
        # %% cell 2
        y = 2"""
    )
    assert read(of_cells("x = 1", "y = 2")).text == MARK + text
