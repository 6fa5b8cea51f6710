"""The keys of a case and of a step of a scenario, and which of them go together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from grader.marking.growth import GROWTHS
from grader.model.case import Combine, Visibility
from grader.spec.keys.common import DRAWN, LIMITS, PACE, PRINTS, VISIBILITY_MEANT
from grader.spec.keys.plots import PLOTTED
from grader.spec.keys.rules import RULE_VALUE
from grader.spec.keys.synonyms import OF_CASE, OF_STEP, OF_TURN
from grader.spec.keys.values import (
    ATTRIBUTE,
    CALL,
    CASE_NAME,
    CASE_NUMBER,
    EXAMPLES,
    EXIT,
    GIVEN,
    ID,
    IDS,
    LAMBDA,
    MODULE,
    NAME,
    NEW_NAME,
    PATTERN,
    PRINTED,
    RELATIVE,
    SCALAR,
    SEED,
    SHARE,
    TOLERANCE,
    VALUE,
)
from grader.yamlfile.kinds import (
    BOOLEAN,
    LIST,
    MAPPING,
    NAMES,
    PATH,
    POSITIVE,
    TEXT,
    choice,
    each,
    inner,
    mapping_of,
    named,
    or_mapping,
    ref,
)
from grader.yamlfile.table import Fields, Key, Kind, Table

# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

RAISES = Table(
    "raises",
    (
        Key("type", NAME.described("a built-in exception, or a class of the module"),
            "ValueError", required=True, meaning=
            "the exception's class; a subclass is accepted too"),
        Key("message", PATTERN,
            '"must be positive"', absent="any text", meaning=
            "a pattern that must match somewhere in its text"),
    ),
)

WATCH = Table(
    "a watched callback",
    (
        Key("answer", LAMBDA, '"lambda x: x * 10"', required=True, meaning=
            "a lambda that answers the callback"),
        Key("calls", VALUE.described("list"), "[1, 2]", absent="any calls", meaning=
            "the argument of each call that must have been made, in order; `[]` for none at all"),
        Key("args", VALUE.described("list of lists or tuples"),
            "[[1, 2], [3, 4]]", absent="any calls", meaning=
            "the same for callbacks of several arguments"),
    ),
)

CONTENT = Table(
    "a file's content",
    (
        Key("from", PATH.described("path, relative to the spec's folder; at most 1 MiB"),
            "knights/board.txt", required=True, meaning=
            "a file whose content it is; part of the spec's digest"),
    ),
)

TURN_END = Table(
    "an answer",
    (
        Key("end", BOOLEAN.described("`true`"), "true", required=True, meaning=
            "`true`: the input ends, the same as `answer: end`"),
    ),
)

CONTENT_KIND = or_mapping(
    PRINTED, CONTENT, "a text or a mapping", "text, or [a file's content](#a-files-content); at most 1 MiB")
_ANSWER = Kind(
    "a line of text, or end", "a line of text, `end`, or [a mapping](#an-answer)",
    Fields.node, {"anyOf": [TEXT.schema, ref(TURN_END)]})
_LEAVES = Kind(
    "a name, a list of names, or a mapping of names", "name, list of names, or mapping",
    Fields.node, {"anyOf": [NAMES.schema, {"type": "object", "additionalProperties": PRINTS.schema}]})
_ARGUMENTS = Kind(LIST.must_be, "list of texts, at most 100", LIST.read, {**LIST.schema, "items": SCALAR})

AGAINST = Table(
    "against",
    (
        Key("module", NAME.described("name of a module"), "leap", required=True, meaning=
            "the name by which the tests import a program"),
        Key("right", NAMES.described("path or list of paths, relative to the spec's folder"),
            "[right/leap.py]", required=True, meaning=
            "programs that the tests must accept, else the case is worth nothing"),
        Key("wrong", NAMES.described("path or list of paths, relative to the spec's folder"),
            "[wrong/century.py]", required=True, meaning=
            "programs that they should not accept; the case is worth the share of these that they catch"),
    ),
)

TURN = Table(
    "a turn of a dialogue",
    (
        Key("says", PRINTS, '"Make a move: "', absent="not compared", meaning=
            "the text printed between the last input and this one, with the prompt, see [an expected "
            "text](#an-expected-text); where a blank too many is no fault, write `{text: 'Size? ', "
            "whitespace: any}`"),
        Key("answer", _ANSWER, "1 3", meaning=
            "the line that the program is then given, without its line end; `end` (without quotes): the "
            "end of its input"),
        Key("stop", choice(("here",)), "here", meaning=
            "`here`, in the last turn and without `answer`: the case ends when the program asks, and what it "
            "would do then does not count"),
    ),
    OF_TURN,
)

_EXPECTED = (
    Key("returns", VALUE, "304", meaning=
        "the answer, or the text `same as reference`: then the reference answers the same call"),
    Key("check", CALL.described("Python call, see [checkers](#checkers)"),
        "tour(dim=5)", meaning=
        "a call of a checker, which looks at the answer; beside `scenario`, at the answers that its "
        "arguments name, see [Values](cases/values.md#several-answers)"),
    Key("raises", or_mapping(NAME, RAISES, "a text or a mapping", "name of a class, or mapping"),
        "ValueError", meaning=
        "the exception that the call must raise, see [raises](#raises)"),
    Key("prints", PRINTS, '"K . .\\n"', absent="not compared", meaning=
        "the text that the call prints, beside or instead of the three above, see [an expected "
        "text](#an-expected-text) and [Printed text](cases/printed-text.md)"),
    Key("reads", NAMES.described("list of texts"), "[size, head.value, total()]", default=(),
        absent="the answer itself", meaning=
        "what is read of the answer and compared instead of it, as one would type it after a dot, or with "
        "`_` for the answer, such as `len(_)`: the answer becomes a dict with these texts as keys"),
    Key("sequence", choice(("any",)), "any", absent="they differ", meaning=
        "`any`: a list is accepted for a tuple and a tuple for a list, at every level; a set "
        "for a frozenset too, and the reverse"),
    Key("unordered", BOOLEAN, "true", default=False, meaning=
        "`true`: the order of the outermost list or tuple, or of a table's rows, does not matter"),
    Key("columns", choice(("any",)), "any", absent="as expected", meaning=
        "`any`: the order of a DataFrame's columns does not matter, nor a Series' name"),
    Key("index", choice(("any",)), "any", absent="as expected", meaning=
        "`any`: the labels of the rows of a DataFrame or Series do not matter"),
    Key("equality", choice(("python",)), "python", absent="types count", meaning=
        "`python`: values are equal where Python's `==` says so, at every level: `1`, `1.0` and `True` are, "
        "a list and a tuple are not, see [Values](cases/values.md)"),
    Key("rel", RELATIVE, "1e-9", default=0.0, meaning=
        "tolerance of floats, complex numbers, Fractions and Decimals, relative to the expected number"),
    Key("abs", TOLERANCE, "0.001", default=0.0, meaning=
        "tolerance of the same, absolute; of a datetime and a timedelta, in seconds"),
    Key("differing", SHARE, "1%", default=Fraction(0), absent="nothing", meaning=
        "share of the items of nested lists or tuples that may differ; their shape must be the "
        "same, see [images](cases/images.md)"),
)
"""The keys for the expected answer, of a case and of a step."""

STEP = Table(
    "a step",
    (
        Key("new", CALL, "KnightsTour(1, 3)", meaning=
            "makes an object, which is not compared"),
        Key("call", CALL.described("Python call or expression, `a.x = 3`, `del a[0]`"),
            "tour.move(3, 2)", meaning=
            "calls a method of an object of an earlier step, or a function of the module, also in an "
            "expression such as `a + b == c`, see [Expressions](cases/expressions.md)"),
        Key("read", ATTRIBUTE, "tour.N", meaning=
            "reads an attribute, or a name of the module"),
        Key("as", NEW_NAME, "tour", absent="with `new` none, else the answer is compared", meaning=
            "the name under which later steps find the answer, which stays where it is; with `returns` or "
            "`check` it is compared too; `_` for none"),
        *_EXPECTED,
        Key("picture", DRAWN, "cells()", absent="not drawn", meaning=
            "how its answer is drawn where it is not right, see [picture](#picture)"),
    ),
    OF_STEP,
)

CASE = Table(
    "a case",
    (
        Key("call", CALL.described("Python call, or an expression with one"),
            "count_tours(5, [(0, 0)])", meaning=
            "a single call of a function of the module, or an expression such as `sorted(f(1))`, see "
            "[Expressions](cases/expressions.md)"),
        Key("sum", CALL, "count_tours(5, [(x, y)])", meaning=
            "many calls, one for each combination of `over`; their answers are added up"),
        Key("count", CALL, "is_legal(3, [], (x, y))", meaning=
            "the same; the answer is how many of the calls return exactly `True`"),
        Key("each", CALL, "legal_moves(8, [], (x, 0))", meaning=
            "the same; the answer is the list of the answers"),
        Key("program", MODULE, "main", meaning=
            "a module that is run as `__main__`, as `python main.py` would run it, see "
            "[Programs](cases/programs.md)"),
        Key("arguments", _ARGUMENTS, '["--fast", "8"]', meaning=
            "its arguments"),
        Key("stdin", CONTENT_KIND,
            '"8\\na0\\n"', meaning=
            "all of its input"),
        Key("files", mapping_of(
            CONTENT_KIND, "name: text, or [a file's content](#a-files-content); at most 100, and 4 MiB"),
            '{board.txt: "1 0\\n"}', meaning=
            "the files that a program, a call or steps find in their folder, see [Files](cases/files.md)"),
        Key("dialogue", each(TURN, "list, at most 500 turns"),
            '[{says: "Size? ", answer: 8}]', meaning=
            "its outputs and inputs, turn by turn, see [a turn](#a-turn) and "
            "[Dialogues](cases/dialogues.md)"),
        Key("player", CALL.described("Python call, see [Dialogues](cases/dialogues.md#players)"),
            "guess(n=8)", meaning=
            "a function of the checkers file that answers it line by line"),
        Key("stdout", PRINTS, '"304\\n"', absent="not compared", meaning=
            "its output; in a dialogue, the output after its last input; see [an expected "
            "text](#an-expected-text)"),
        Key("stderr", PRINTS, '""', absent="not compared", meaning=
            "its error output"),
        Key("exit", EXIT, "2", absent="`0`", meaning=
            "its exit code"),
        Key("leaves", _LEAVES, "{tour.txt: same as reference}", meaning=
            "the files that must be left in that folder: their names, or name: [expected "
            "text](#an-expected-text)"),
        Key("harness", PATH, "shop/harness.py", absent="the question's", meaning=
            "a module of yours beside the student's code, whose functions and classes calls can use, see "
            "[Harnesses](cases/harness.md)"),
        Key("rule", RULE_VALUE, "no recursion", meaning=
            "a rule on the source, with a mark of its own: nothing is run, see [a rule](#a-rule)"),
        Key("pytest", PATH, "leap/test_leap.py", meaning=
            "a test file, which pytest runs away from the student's process: each of its test functions is a "
            "case of its own, see [Test files](cases/pytest.md)"),
        Key("tests", NAMES.described("a name or a list of names"), "[test_century, TestLeap]", default=(),
            absent="all", meaning=
            "the test functions, or classes of them, that count here"),
        Key("student tests", MODULE, "test_leap", meaning=
            "a module with the student's own tests, which are tried on programs of yours, see [Students' "
            "tests](cases/student-tests.md)"),
        Key("against", inner(AGAINST), "{module: leap, right: [right.py], wrong: [century.py]}", meaning=
            "the programs that they are tried on, see [against](#against)"),
        Key("scenario", each(STEP, "list, at most 1,000 steps"),
            '[{new: "Tour(1, 3)", as: tour}]', meaning=
            "a list of steps that make objects, call their methods and look at them, see [a "
            "step](#a-step) and [Scenarios](cases/scenarios.md)"),
        Key("goes on", BOOLEAN, "true", default=False, meaning=
            "`true`: the steps of a scenario after a failing one are judged too, and the case is "
            "worth the share of the steps that are right; with `given`, the share of the inputs"),
        Key("over", MAPPING.described("name: range or list; at most 10,000 calls a case"),
            "{x: range(5), y: [0, 4]}", absent="none; needed by `sum`, `count`, `each`", meaning=
            "the names that vary and the values that each takes; the last name varies fastest"),
        Key("given", GIVEN, "{n: 'integers(1, 8)', xs: 'lists(integers(), max_size=n)'}", meaning=
            "names in `call` that take many values: for each a strategy, by which they are drawn; or a list "
            "of inputs, see [Generated cases](cases/generated.md)"),
        Key("grow", MAPPING.described("one name: at least 3 sizes, ascending"),
            "{n: [1000, 2000, 4000, 8000]}", meaning=
            "the sizes of a growing input; `given` makes the input of each, `growth` looks at its time, see "
            "[Growing times](cases/growing.md)"),
        Key("growth", choice(GROWTHS), "n log n", meaning=
            "the fastest growth that the time should have over the sizes of `grow`; a faster one is a remark "
            "that costs nothing, unless `decides` says otherwise"),
        Key("decides", choice(("marks",)), "marks", absent="the growth is a remark", meaning=
            "a time that grows faster than `growth` costs marks"),
        Key("worse", SHARE, "50%", default=Fraction(0), absent="nothing", meaning=
            "with `decides: marks`, the share of the case that right answers earn whose time grows faster"),
        Key("examples", EXAMPLES, "100", default=50, meaning=
            "how many inputs are drawn; fewer where there are no more"),
        Key("watch", named(WATCH), '{f: {answer: "lambda x: x"}}', meaning=
            "callbacks among the arguments of `call` that are answered and recorded outside the "
            "student's process, see [watch](#watch)"),
        *_EXPECTED,
        Key("plot", PLOTTED, "{title: Prices, lines: same as reference}", absent="not looked at", meaning=
            "what the call draws with matplotlib; without `call`, what the module draws when it is imported, "
            "see [Plots](cases/plots.md)"),
        Key("unchanged", BOOLEAN, "true", default=False, meaning=
            "`true`: the call must leave its arguments as they were, also when it raises; in a "
            "scenario every step must"),
        Key("name", CASE_NAME, "three-by-three", absent="its number in the question, from 1", meaning=
            "the case's id becomes `<question>.<name>` instead of `<question>.<number>`"),
        Key("title", TEXT, "A board without moves", default="", meaning=
            "what students read as its heading instead of the call or the rule, which stays below"),
        Key("number", CASE_NUMBER, "4", absent="its place in the question, from 1", meaning=
            "its number in the question where cases before it are left out, as `grader bundle` does"),
        Key("weight", POSITIVE, "2", default=Fraction(1), meaning=
            "its weight among the cases of the question"),
        Key("group", ID, "big", meaning=
            "its group; every case has one where the question says `award: groups` or has `groups`, and "
            "none has one elsewhere"),
        Key("hint", TEXT, "Squares in the path are taken.", default="", meaning=
            "a hint for students if the case is not accepted"),
        Key("visibility", choice(Visibility, VISIBILITY_MEANT), "hidden", absent="the question's", meaning=
            "as for a question: everything is shown (`public`), the verdict alone (`hidden`), or the "
            "verdict alone until marks are released (`after-due`)"),
        Key("needs", IDS, '["1", "3.2"]', default=(), meaning=
            "cases that must be accepted first, else this one is skipped; a question's id stands "
            "for those of its cases that run before, see [the order](#the-order-of-cases)"),
        Key("limits", inner(LIMITS), "{time: 5s}", absent="the question's", meaning=
            "limits of this case, see [limits](#limits)"),
        Key("seed", SEED, "7", absent="the task's", meaning=
            "seed of `random` and NumPy in the student's process: where they start with this case"),
        Key("pace", inner(PACE), "{full: 2, none: 4}", absent="the question's", meaning=
            "the worth of its time, see [pace](#pace)"),
        Key("picture", DRAWN, "squares(dim=8)", absent="the question's", meaning=
            "how its answer is drawn where it is not accepted, see [picture](#picture)"),
    ),
    OF_CASE,
)
# fmt: on


COMPARED = ("reads", "sequence", "unordered", "columns", "index", "equality", "rel", "abs", "differing")
EXPECTATIONS: dict[str, tuple[str, ...]] = {"returns": COMPARED, "check": ("reads", "sequence"), "raises": ()}
"""The keys for the expected answer, each with the keys of a comparison that have an effect on it."""

OF_GIVEN = ("goes on", "examples")
"""Keys that go with `given`."""
OF_GROW = ("growth", "decides", "worse")
"""Keys that go with `grow`."""
PROGRAM_INPUTS = ("stdin", "dialogue", "player")
"""Each is all of a program's input."""
_OF_PROGRAMS = ("arguments", *PROGRAM_INPUTS, "stdout", "stderr", "exit")
OF_FOLDER = ("files", "leaves")
"""Keys of programs, and of calls and scenarios that run once."""
ONLY_WITH = dict.fromkeys(_OF_PROGRAMS, ("program", "`program` names the module to run"))
ONLY_WITH["against"] = ("student tests", "`student tests` names the module with the tests")
ONLY_WITH["goes on"] = ("scenario", "")
ONLY_WITH["tests"] = ("pytest", "`pytest` names the test file")
ONLY_WITH["examples"] = ("given", "")
ONLY_WITH |= dict.fromkeys(OF_GROW, ("grow", "`grow` names the sizes"))
ONLY_WITH["stdout"] = ("program", "what a call prints is `prints`; `program` names a module to run")
ONLY_WITH["stdin"] = ("program", "a call gets its values as arguments; `program` names a module to run")
ONLY_WITH["arguments"] = ("program", "write them in the call, such as `call: f(1, 2)`")
"""Keys that go with one kind of case alone, with that kind and a hint."""


@dataclass(frozen=True, slots=True)
class CaseKind:
    """A kind of case, which one key shows, such as `call` or `rule`.

    goes_with: the keys that can stand beside that key.
    hints: for some of the other keys, a hint.
    kind: the name of its kind, as `grader.model.kinds` has it.
    """

    goes_with: tuple[str, ...]
    hints: Mapping[str, str] = field(default_factory=dict)
    kind: str = "calls"


_OF_EVERY = ("name", "title", "number", "weight", "group", "hint", "visibility", "needs", "limits", "seed")
_OF_CALLS = ("returns", "check", *COMPARED, "unchanged", "pace", "picture", "harness", *_OF_EVERY)
_FOR_ONE_CALL = "write a case with `call` for each call"
_MANY_CALLS = CaseKind(
    ("over", *_OF_CALLS),
    {
        **dict.fromkeys(OF_FOLDER, _FOR_ONE_CALL),
        "watch": _FOR_ONE_CALL,
        "prints": _FOR_ONE_CALL,
        "plot": _FOR_ONE_CALL,
        "raises": "write a case for each call",
        **dict.fromkeys(
            ("given", "examples", "grow", *OF_GROW), "write `call` instead: it is called for each input"
        ),
    },
)

CASE_KINDS = {
    "rule": CaseKind(
        ("name", "title", "number", "weight", "group", "hint", "visibility"),
        dict.fromkeys(CASE.names, "a rule looks at the source and runs nothing"),
        "rule",
    ),
    "program": CaseKind(
        ("check", "picture", *_OF_PROGRAMS, *OF_FOLDER, *_OF_EVERY),
        {"plot": "a case with `plot` alone looks at what a module draws when it is imported"},
        "program",
    ),
    "pytest": CaseKind(
        ("tests", *_OF_EVERY),
        dict.fromkeys(CASE.names, "the tests say what is expected"),
        "pytest",
    ),
    "student tests": CaseKind(
        ("against", *_OF_EVERY),
        dict.fromkeys(CASE.names, "what counts is which programs the tests accept"),
        "student tests",
    ),
    "scenario": CaseKind(
        ("goes on", "unchanged", "check", "harness", *OF_FOLDER, *_OF_EVERY),
        dict.fromkeys(STEP.names, "say it of a step"),
    ),
    "call": CaseKind(
        ("watch", "prints", "plot", "raises", "given", *OF_GIVEN, "grow", *OF_GROW, *OF_FOLDER, *_OF_CALLS),
        {"over": "write `each`, `sum` or `count` instead of `call`"},
    ),
    **dict.fromkeys(map(str, Combine), _MANY_CALLS),
    "plot": CaseKind((*EXPECTATIONS, *COMPARED, *_OF_EVERY)),
}
"""The kinds of cases by the keys that show them; the first key that is present decides."""
CALLING = ("call", *map(str, Combine))
"""The kinds that make calls."""
