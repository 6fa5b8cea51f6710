"""Classes of `types`, and their instances wherever a value may stand."""

from typing import TYPE_CHECKING

import pytest

from grader.model.case import Check, Returns, Shipped, Watched
from grader.model.kinds import calls_of
from grader.model.values import EnumMember, EnumType, Record, RecordType, Value

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

PIECES = """
class Colour: pass
class Mood: pass
class Pawn: pass
class Board: pass
def is_legal(b, p): return True
"""
TYPES = """
types:
  Colour: {members: [Red, White]}
  Pawn: {fields: [pos, colour, energy]}
  Board: {fields: [pieces]}
"""
RED, WHITE = EnumMember("Colour", "Red"), EnumMember("Colour", "White")


def pawn(x: int, y: int, colour: Value = RED, energy: Value = 1) -> Record:
    return Record("Pawn", (("pos", (x, y)), ("colour", colour), ("energy", energy)))


@pytest.fixture(autouse=True)
def reference(spec: "SmallSpec") -> None:
    (spec.folder / "reference" / "knight1.py").write_text(PIECES)


def returned(spec: "SmallSpec", value: str, head: str = "") -> Value:
    case = spec.case(f'- {{call: "is_legal(1, 2)", returns: "{value}"}}', TYPES + head)
    what = calls_of(case)
    assert isinstance(what.decides, Returns)
    return what.decides.value


def message(spec: "SmallSpec", value: str, head: str = "") -> str:
    """Return the one mistake of a value, with its hint."""
    (fault,) = spec.faults(f'- {{call: "is_legal(1, 2)", returns: "{value}"}}', TYPES + head)
    assert fault.where.startswith(str(spec.path))
    return f"{fault.message} | {fault.hint}"


def test_the_task_knows_its_types(spec: "SmallSpec") -> None:
    assert spec.load(head=TYPES).types == (
        EnumType("Colour", ("Red", "White")),
        RecordType("Pawn", ("pos", "colour", "energy")),
        RecordType("Board", ("pieces",)),
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Red", RED),
        ("Colour.White", WHITE),
        ("Pawn((4, 4), Red, 1)", pawn(4, 4)),
        ("Pawn((4, 4), colour=Colour.White, energy=3)", pawn(4, 4, WHITE, 3)),
        ("Pawn(energy=3, pos=(4, 4), colour=Red)", pawn(4, 4, RED, 3)),
        ("{Pawn((1, 2), Red, 1), Pawn((1, 2), White, 1)}", {pawn(1, 2), pawn(1, 2, WHITE)}),
        ("Board(frozenset({Pawn((1, 2), Red, 1)}))", Record("Board", (("pieces", frozenset({pawn(1, 2)})),))),
        ("[Red] * 2 + [{White: Pawn((0, 0), None, [])}]", [RED, RED, {WHITE: pawn(0, 0, None, [])}]),
    ],
)
def test_records_and_members_are_values(spec: "SmallSpec", text: str, value: Value) -> None:
    assert returned(spec, text) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Pawn((4, 4), Red)", "Pawn needs `energy` too | Pawn(pos, colour, energy)"),
        ("Pawn((4, 4), Red, 1, 2)", "Pawn has 3 fields, not 4 | Pawn(pos, colour, energy)"),
        ("Board(1, 2)", "Board has 1 field, not 2 | Board(pieces)"),
        ("Pawn((4, 4), Red, enrgy=1)", "Pawn has no field `enrgy` | did you mean `energy`?"),
        ("Pawn((4, 4), Red, pos=1)", "`pos` is given twice | Pawn(pos, colour, energy)"),
        ("Pawn(**{})", "`**` can't unpack here | write the fields out"),
        ("Colour.Rad", "Colour has no member `Rad` | did you mean `Red`?"),
        ("Pawn.pos", "Pawn has no member `pos` | "),
        ("Colour(1)", "Colour is an enum, its members are not made by a call | such as Colour.Red"),
        ("Pawn", "`Pawn` is a class, which is not a value | such as Pawn(pos, colour, energy)"),
        ("Colour", "`Colour` is a class, which is not a value | such as Colour.Red"),
        ("Whit", "`Whit` is not a known name | did you mean `White`?"),
        ("Pwan(1, 2, 3)", "`Pwan` can't be called inside an expression | did you mean `Pawn`?"),
        (
            "{Pawn([4, 4], Red, 1)}",
            "a Pawn that holds a list, a dict or a set can't be in a set or be a key | ",
        ),
        ("Pawn((4, 4), Red, 1) + 1", "`+` does not go with a Pawn and an int | "),
        ("-Red", "`-` does not go with a Colour | "),
    ],
)
def test_mistakes_in_records_are_told(spec: "SmallSpec", text: str, said: str) -> None:
    assert message(spec, text).startswith(said)


def test_a_mistake_points_at_its_place(spec: "SmallSpec") -> None:
    (fault,) = spec.faults('- {call: "is_legal(Pawn((4, 4), Red, 1, 2), 2)", returns: 1}', TYPES)
    assert fault.excerpt[fault.column - 1 :].startswith("2)")


def test_every_field_is_looked_at(spec: "SmallSpec") -> None:
    faults = spec.messages('- {call: "is_legal(Pawn(x, y, 1), 2)", returns: 1}', TYPES)
    assert faults == ["`x` is not a known name", "`y` is not a known name"]


def test_fields_count_as_items(spec: "SmallSpec") -> None:
    assert "at most 100,000 are allowed" in message(spec, "[Pawn((0, 0), Red, 1)] * 20000")


def test_nesting_of_records_is_bounded(spec: "SmallSpec") -> None:
    head = "let:\n  b0: '[]'\n" + "".join(f'  b{n}: "Board([b{n - 1}])"\n' for n in range(1, 40))
    (fault,) = spec.faults('- {call: "is_legal(b39, 2)", returns: 1}', TYPES + head)
    assert "nested more than 50 levels deep" in fault.message


# -- where they may stand --------------------------------------------------------------------------


def test_the_text_of_a_call_can_be_typed_in_python(spec: "SmallSpec") -> None:
    head = TYPES + 'let:\n  start: "Board(frozenset({Pawn((1, 1), White, 1)}))"\n'
    case = spec.case('- {call: "is_legal(start, Pawn((4, 4), energy=2, colour=Red))", returns: 1}', head)
    start = "Board(frozenset({Pawn((1, 1), Colour.White, 1)}))"
    assert case.text == f"is_legal({start}, Pawn((4, 4), Colour.Red, 2))"


def test_a_board_of_many_pieces_is_still_shown(spec: "SmallSpec") -> None:
    pieces = ", ".join(f"Pawn(({n}, 1), White, 1)" for n in range(16))
    case = spec.case('- {call: "is_legal(b, 1)", returns: 1}', TYPES + f'let:\n  b: "[{pieces}]"\n')
    assert case.text.count("Pawn(") == 16


def test_over_runs_over_records_and_members(spec: "SmallSpec") -> None:
    case = spec.case(
        """
        - each: is_legal(p, Pawn((x, 1), c, 1))
          over: {p: "[Pawn((4, 4), Red, 1)]", c: "[Red, White]", x: range(2)}
          returns: "[1] * 4"
        """,
        TYPES,
    )
    what = calls_of(case)
    assert [call.args[1] for call in what.calls] == [
        pawn(0, 1), pawn(1, 1), pawn(0, 1, WHITE), pawn(1, 1, WHITE),
    ]  # fmt: skip
    assert what.calls[2].text == "is_legal(Pawn((4, 4), Colour.Red, 1), Pawn((0, 1), Colour.White, 1))"


def test_checkers_and_watched_calls_take_records(spec: "SmallSpec") -> None:
    case = spec.case(
        """
        - call: is_legal(1, f)
          watch: {f: {answer: "lambda p: p.energy", calls: ["Pawn((4, 4), Red, 1)"]}}
          check: tour(dim=Red, start=Pawn((1, 1), White, 2))
        """,
        TYPES,
    )
    what = calls_of(case)
    assert isinstance(what.decides, Check)
    assert dict(what.decides.arguments) == {"dim": RED, "start": pawn(1, 1, WHITE, 2)}
    assert what.watch == (("f", ((pawn(4, 4),),)),)


def test_lambdas_can_use_the_classes(spec: "SmallSpec") -> None:
    head = TYPES + 'let:\n  one: "Pawn((1, 1), Red, 1)"\n'
    case = spec.case('- {call: "is_legal(lambda p: p == one or p.colour is White, 2)", returns: 1}', head)
    assert calls_of(case).calls[0].args[0] == Shipped(
        "lambda p: p == Pawn((1, 1), Colour.Red, 1) or p.colour is Colour.White"
    )
    case = spec.case(
        """
        - call: is_legal(1, f)
          watch: {f: {answer: "lambda p: Board(frozenset({p}))"}}
          returns: 1
        """,
        TYPES,
    )
    assert calls_of(case).calls[0].args[1] == Watched("f", "lambda p: Board(frozenset({p}))")


# -- `types` itself --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("types", "said"),
    [
        ("{Pawn: {}}", "a class has either `fields` or `members`, Pawn has neither"),
        ("{Pawn: {fields: [a], members: [B]}}", "a class has either `fields` or `members`, Pawn has both"),
        ("{Pawn: {fields: [a, a]}}", "`a` is given twice"),
        ("{Pawn: {fields: [1a]}}", "`1a` is not a Python name"),
        ("{Colour: {members: [_Red]}}", "`_Red` can't be the member of an enum"),
        ("{Colour: {members: [mro]}}", "`mro` can't be the member of an enum"),
        ("{Colour: {members: []}}", "`members` names nothing"),
        ("{set: {fields: [a]}}", "`set` is a function of expressions; choose another name"),
        ("{Pwan: {fields: [a]}}", "the reference has no class `Pwan`"),
        ("{Pawn: 3}", "a class of `types` must be a mapping, lines of `key: value`, not `3`"),
    ],
)
def test_mistakes_in_types_are_told(spec: "SmallSpec", types: str, said: str) -> None:
    assert said in spec.messages(head=f"types: {types}\n")


def test_a_class_without_fields_is_a_record(spec: "SmallSpec") -> None:
    case = spec.case('- {call: "is_legal(Pawn(), 1)", returns: 1}', "types: {Pawn: {fields: []}}\n")
    assert calls_of(case).calls[0].args[0] == Record("Pawn", ())


def test_a_member_of_two_enums_needs_its_class(spec: "SmallSpec") -> None:
    head = "types: {Colour: {members: [Red, Dull]}, Mood: {members: [Dull]}}\n"
    (fault,) = spec.faults('- {call: "is_legal(Dull, 1)", returns: 1}', head)
    assert (fault.message, fault.hint) == (
        "`Dull` is a member of several enums",
        "write Colour.Dull or Mood.Dull",
    )
    case = spec.case('- {call: "is_legal(Mood.Dull, Red)", returns: 1}', head)
    assert calls_of(case).calls[0].args == (EnumMember("Mood", "Dull"), RED)


@pytest.mark.parametrize(("name", "what"), [("Red", "a member of an enum"), ("Pawn", "a class of `types`")])
def test_names_of_types_cannot_be_given_again(spec: "SmallSpec", name: str, what: str) -> None:
    said = f"`{name}` is {what} already; choose another name"
    assert spec.messages(head=TYPES + f"let: {{{name}: 1}}\n") == [said]
    over = f"- {{each: 'is_legal({name}, 1)', over: {{{name}: [1]}}, returns: [1]}}"
    assert spec.messages(over, TYPES) == [said]


def test_the_module_of_a_case_must_have_the_class(spec: "SmallSpec") -> None:
    (spec.folder / "reference" / "knight4.py").write_text("def f(x): pass\n")
    question = """
      - id: "2"
        title: Second
        module: knight4
        marks: 1
        cases: [{call: "f(Pawn((1, 1), Red, 1))", returns: "Board(1)"}]
    """
    text = (
        spec.write(head=TYPES.replace("types", "types"))
        .read_text()
        .replace("marks: 1\nreference", "marks: 2\nreference")
    )
    faults = spec.faults(text=text + question.replace("\n      ", "\n  "))
    assert [fault.message for fault in faults] == [
        "the reference has no class `Board` in this module",
        "the reference has no class `Colour` in this module",
        "the reference has no class `Pawn` in this module",
    ]
