"""Boards written as text, and names that stand in a file of their own."""

from typing import TYPE_CHECKING

import pytest

from grader.model.kinds import calls_of
from grader.model.values import Record, Value

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

LAYOUT = """
layouts:
  grid:
    legend: {a: "(x, y)", b: "[x + y]"}
    empty: "."
"""


def value(spec: "SmallSpec", rows: str, head: str = LAYOUT, layout: str = "grid") -> Value:
    """Return what `let` makes of rows, which are written with slashes between them."""
    lines = rows.split("/")
    uses = f"let:\n  board:\n    layout: {layout}\n    rows: |\n" + "".join(
        f"      {line}\n" for line in lines
    )
    case = spec.case('- {call: "is_legal(8, board, (0, 0))", returns: 1}', head + uses)
    return calls_of(case).calls[0].args[1]


def faults(spec: "SmallSpec", rows: str, head: str = LAYOUT, layout: str = "grid") -> list[str]:
    lines = rows.split("/")
    uses = f"let:\n  board:\n    layout: {layout}\n    rows: |\n" + "".join(
        f"      {line}\n" for line in lines
    )
    found = spec.faults(head=head + uses)
    return [f"{f.where.rpartition('yaml:')[2]} {f.message} | {f.hint}".removesuffix(" | ") for f in found]


def test_rows_become_a_list_of_lists_with_the_topmost_first(spec: "SmallSpec") -> None:
    assert value(spec, "a . b/. a .") == [[(1, 2), None, [5]], [None, (2, 1), None]]


def test_blanks_and_empty_lines_do_not_matter(spec: "SmallSpec") -> None:
    assert value(spec, "a   .  b/   //.   a  . ") == value(spec, "a . b/. a .")


def test_a_board_can_be_counted_from_the_top_and_from_any_number(spec: "SmallSpec") -> None:
    head = LAYOUT + "    origin: top-left\n    first: 0\n"
    assert value(spec, "a ./. a", head) == [[(0, 0), None], [None, (1, 1)]]


def test_the_whole_becomes_what_value_says(spec: "SmallSpec") -> None:
    head = LAYOUT + '    value: "{(width, height): cells, 0: rows}"\n'
    assert value(spec, "a . b", head) == {(3, 1): [(1, 1), [4]], 0: [[(1, 1), None, [4]]]}


def test_records_stand_on_boards(spec: "SmallSpec") -> None:
    (spec.folder / "reference" / "knight1.py").write_text(
        "class Pawn: pass\nclass Board: pass\ndef is_legal(): 0\n"
    )
    head = """
    types: {Pawn: {fields: [pos, energy]}, Board: {fields: [pieces]}}
    layouts:
      grid:
        legend: {r4: "Pawn((x, y), 4)", r1: "Pawn((x, y), 1)"}
        empty: [".", "-"]
        size: 3x2
        value: Board(frozenset(cells))
    """
    head = head.replace("\n    ", "\n")
    pieces = frozenset(
        Record("Pawn", (("pos", place), ("energy", energy))) for place, energy in (((2, 2), 4), ((3, 1), 1))
    )
    assert value(spec, "- r4 ./. - r1", head) == Record("Board", (("pieces", pieces),))


def test_a_legend_can_use_names_of_let(spec: "SmallSpec") -> None:
    head = "layouts:\n  grid: {legend: {a: n}}\n"
    uses = "let:\n  n: 7\n  board: {layout: grid, rows: a a}\n"
    case = spec.case('- {call: "is_legal(8, board, (0, 0))", returns: 1}', head + uses)
    assert calls_of(case).calls[0].args[1] == [[7, 7]]


def test_mistakes_in_rows_are_told_at_their_place(spec: "SmallSpec") -> None:
    assert faults(spec, "a A ./. a .") == [
        "16:9 `A` is not in the layout's legend | there is `a`, `b`, `.`",
    ]
    assert faults(spec, "a . ./. a") == ["17:7 row 2 has 2 cells, not 3"]
    assert faults(spec, "a . ./. a", LAYOUT + "    size: 3x3\n") == [
        "16:11 there are 2 rows, not 3",
        "18:7 row 2 has 2 cells, not 3",
    ]
    assert faults(spec, "a", layout="gird") == ["14:13 there is no layout `gird` | did you mean `grid`?"]


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ("{legend: {a: 1}, empty: a}", "`a` is in the legend too"),
        ("{legend: {'a b': 1}}", "`a b` can't be a token: it is empty or holds blanks"),
        ("{legend: {a: [1]}}", "a token's value must be a Python expression"),
        ("{legend: {a: z}}", "`z` is not a known name"),
        ("{legend: {a: 'x | y'}}", "this operator can't be computed in a spec"),
        ("{legend: {a: 1}, value: pieces}", "`pieces` is not a known name"),
        ("{legend: {a: 1}, size: 8}", "`size` must be columns x rows, such as 8x8, not `8`"),
        ("{legend: {a: 1}, origin: top}", "`origin` must be one of bottom-left, top-left, not `top`"),
        ("{legend: {a: 1}, first: a}", "`first` must be a whole number, not `a`"),
        ("{empty: .}", "`legend` is missing in a layout"),
    ],
)
def test_mistakes_in_layouts_are_told(spec: "SmallSpec", layout: str, said: str) -> None:
    head = f"layouts: {{grid: {layout}}}\nlet: {{b: {{layout: grid, rows: a}}}}\n"
    assert said in spec.messages(head=head)


def test_a_mistake_in_a_legend_is_told_once(spec: "SmallSpec") -> None:
    head = "layouts: {grid: {legend: {a: zz}}}\nlet: {b: {layout: grid, rows: a a a}}\n"
    assert spec.messages(head=head) == ["`zz` is not a known name"]


def test_a_board_without_rows_is_a_mistake(spec: "SmallSpec") -> None:
    head = "layouts: {grid: {legend: {a: 1}}}\nlet: {b: {layout: grid, rows: ' '}}\n"
    assert spec.messages(head=head) == ["`rows` holds no row"]


# -- included files --------------------------------------------------------------------------------

CALL = '- {call: "is_legal(8, board, start)", returns: 1}'


def test_names_can_stand_in_a_file_of_their_own(spec: "SmallSpec") -> None:
    (spec.folder / "names.yaml").write_text(LAYOUT + 'let:\n  start: "(0, 0)"\n')
    case = spec.case(CALL, "include: names.yaml\nlet: {board: {layout: grid, rows: a}}\n")
    assert calls_of(case).calls[0].args == (8, [[(1, 1)]], (0, 0))


def test_what_is_included_is_part_of_the_spec(spec: "SmallSpec") -> None:
    names = spec.folder / "names.yaml"
    names.write_text("let: {board: 1, start: 2}\n")
    before = spec.load(CALL, "include: names.yaml\n").spec_sha256
    names.write_text("let: {board: 1, start: 3}\n")
    assert spec.load(CALL, "include: names.yaml\n").spec_sha256 != before


def test_mistakes_of_an_included_file_are_told_there(spec: "SmallSpec") -> None:
    (spec.folder / "names.yaml").write_text("let:\n  start: 2\n  board: [1, zz]\n")
    (fault,) = spec.faults(CALL, "include: names.yaml\n")
    assert fault.where == f"{spec.folder / 'names.yaml'}:3:14"
    assert fault.excerpt == "  board: [1, zz]"


def test_a_legend_of_an_included_file_is_told_there(spec: "SmallSpec") -> None:
    (spec.folder / "names.yaml").write_text("layouts:\n  grid:\n    legend: {a: zz}\n")
    (fault,) = spec.faults(CALL, "include: names.yaml\nlet: {start: 1, board: {layout: grid, rows: a}}\n")
    assert fault.where == f"{spec.folder / 'names.yaml'}:3:17"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("let: {start: 1}\ntask: other\n", "`task` is not a key of an included file"),
        ("let: {start: 1}\ninclude: names.yaml\n", "`include` is not a key of an included file"),
        ("- 1\n", "an included file must be a mapping, lines of `key: value`, not a list"),
        ("let: {start: 1\n", "a mapping in braces is not closed before this place"),
    ],
)
def test_an_included_file_holds_names_alone(spec: "SmallSpec", content: str, said: str) -> None:
    (spec.folder / "names.yaml").write_text(content)
    assert said in spec.messages(head="include: names.yaml\n")


def test_a_name_is_given_once_among_both_files(spec: "SmallSpec") -> None:
    (spec.folder / "names.yaml").write_text(LAYOUT + "let: {start: 1}\n")
    head = "include: names.yaml\nlet: {start: 2}\n" + LAYOUT
    assert spec.messages(head=head) == [
        "`start` is a name of `let` already; choose another name",
        "the layout `grid` is given in another file already",
    ]


def test_an_included_file_must_be_there_and_be_text(spec: "SmallSpec") -> None:
    assert spec.messages(head="include: names.yaml\n")[0].startswith("there is no file ")
    (spec.folder / "names.yaml").write_bytes(b"let: {a: '\xff'}\n")
    assert spec.messages(head="include: names.yaml\n") == ["the included file is not UTF-8 text"]
