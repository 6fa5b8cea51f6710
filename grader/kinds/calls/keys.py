"""The keys of cases that call functions, and of a step of a scenario."""

from fractions import Fraction

from grader.marking.growth import GROWTHS
from grader.model.case import Combine
from grader.spec.keys.answers import COMPARED, DRAWING, EXPECTATIONS, EXPECTED, OF_FILES, OF_FOLDER
from grader.spec.keys.common import DRAWN, PACE
from grader.spec.keys.forms import OF_EVERY, CaseForm, KindKeys
from grader.spec.keys.plots import PLOTTED
from grader.spec.keys.synonyms import OF_STEP
from grader.spec.keys.values import ATTRIBUTE, CALL, EXAMPLES, GIVEN, LAMBDA, NEW_NAME, SHARE, VALUE
from grader.yamlfile.kinds import BOOLEAN, MAPPING, PATH, choice, each, inner, named
from grader.yamlfile.table import Key, KeyTable

# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

WATCH = KeyTable(
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

STEP = KeyTable(
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
        *EXPECTED,
        Key("picture", DRAWN, "cells()", absent="not drawn", meaning=
            "how its answer is drawn where it is not right, see [picture](#picture)"),
    ),
    OF_STEP,
)

_KEYS = (
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
    *OF_FILES,
    Key("harness", PATH, "shop/harness.py", absent="the question's", meaning=
        "a module of yours beside the student's code, whose functions and classes calls can use; of a "
        "`program`, and without a default: it runs in its place; see [Harnesses](cases/harness.md)"),
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
    *EXPECTED,
    Key("plot", PLOTTED, "{title: Prices, lines: same as reference}", absent="not looked at", meaning=
        "what the call draws with matplotlib; without `call`, what the module draws when it is imported, "
        "see [Plots](cases/plots.md)"),
    Key("unchanged", BOOLEAN, "true", default=False, meaning=
        "`true`: the call must leave its arguments as they were, also when it raises; in a "
        "scenario every step must"),
    Key("pace", inner(PACE), "{full: 2, none: 4}", absent="the question's", meaning=
        "the worth of its time, see [pace](#pace)"),
    *DRAWING,
)
# fmt: on

_OF_GIVEN = ("goes on", "examples")
"""Keys that go with `given`, and with `grow`."""
_OF_GROW = ("growth", "decides", "worse")
"""Keys that go with `grow`."""
_OF_CALLS = ("returns", "check", *COMPARED, "unchanged", "pace", "picture", "harness", *OF_EVERY)
_FOR_ONE_CALL = "write a case with `call` for each call"
_MANY_CALLS = CaseForm(
    ("over", *_OF_CALLS),
    {
        **dict.fromkeys(OF_FOLDER, _FOR_ONE_CALL),
        "watch": _FOR_ONE_CALL,
        "prints": _FOR_ONE_CALL,
        "plot": _FOR_ONE_CALL,
        "raises": "write a case for each call",
        **dict.fromkeys(
            ("given", "examples", "grow", *_OF_GROW), "write `call` instead: it is called for each input"
        ),
    },
    makes_calls=True,
)
_GIVEN = ("given", *_OF_GIVEN, "grow", *_OF_GROW)

KEYS = KindKeys(
    _KEYS,
    {
        "scenario": CaseForm(
            ("goes on", "unchanged", "check", "harness", *OF_FOLDER, *OF_EVERY),
            dict.fromkeys(STEP.names, "say it of a step"),
        ),
        "call": CaseForm(
            ("watch", "prints", "plot", "raises", *_GIVEN, *OF_FOLDER, *_OF_CALLS),
            {"over": "write `each`, `sum` or `count` instead of `call`"},
            makes_calls=True,
        ),
        **dict.fromkeys(map(str, Combine), _MANY_CALLS),
        "plot": CaseForm((*EXPECTATIONS, *COMPARED, *OF_EVERY)),
    },
    only_with={
        "goes on": ("scenario", ""),
        "examples": ("given", ""),
        **dict.fromkeys(_OF_GROW, ("grow", "`grow` names the sizes")),
    },
    also_with=dict.fromkeys(_OF_GIVEN, ("given", "grow")) | dict.fromkeys(_OF_GROW, ("grow",)),
    tables=(STEP, WATCH),
)
