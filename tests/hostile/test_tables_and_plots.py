"""DataFrames and plots on their way out of a box, and hostile ones."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from support.installed import needs
from support.sieges import Arena, adopt_orphans, job, value

from grader.model.case import Call
from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer
from grader.model.values import Opaque, Table, Value
from grader.sandbox.box import Box, Job, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.request import encode_request
from grader.sandbox.zygote import Zygote
from grader.wire.notebook import joined
from grader.worker.walls import syscalls

# A zygote with both packages takes two seconds to start.
pytestmark = pytest.mark.acceptance
needs("pandas", "matplotlib")

LIMITS = Limits(time_s=10, wall_s=40)


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    if not syscalls.SUPPORTED:
        pytest.skip("there are no tables of system calls for this architecture")
    adopt_orphans()
    packages = ("pandas", "matplotlib", "matplotlib.pyplot")
    with Zygote(Driver.NAMESPACES, find_interpreter(""), packages) as zygote:
        yield Arena(Driver.NAMESPACES, "snapshot", zygote)


def besieged(arena: Arena, source: str, asked: Job) -> Outcome:
    text = f"import pandas as pd\nimport numpy as np\n{source}"
    return arena.besiege(text, asked, memory_b=512 * MIB).outcome


def answer(arena: Arena, expression: str, before: str = "") -> Value:
    """Return what a function that returns this expression brings back."""
    source = f"{before}\n\ndef attack():\n    return {expression}\n"
    return value(besieged(arena, source, job("attack", limits=LIMITS)))


def frame(columns: dict[Value, list[Value]], *dtypes: str, index: list[Value] | None = None) -> Table:
    height = len(next(iter(columns.values()), []))
    labels = tuple(range(height)) if index is None else tuple(index)
    return Table("DataFrame", tuple(columns), labels, dtypes, tuple(map(tuple, columns.values())))


# -- tables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("pd.DataFrame({'a': [1, 2]})", frame({"a": [1, 2]}, "int64")),
        ("pd.DataFrame({'a': [1.5, np.nan], 'b': [True, False]})",
         frame({"a": [1.5, None], "b": [True, False]}, "float64", "bool")),
        ("pd.DataFrame({'a': pd.array([1, None], dtype='Int64')})", frame({"a": [1, None]}, "Int64")),
        ("pd.DataFrame({'a': pd.Categorical(['x', None])})", frame({"a": ["x", None]}, "category")),
        ("pd.DataFrame({1: [2], (3, 4): [5]})", frame({1: [2], (3, 4): [5]}, "int64", "int64")),
        ("pd.DataFrame({'a': [1]}, index=['x'])", frame({"a": [1]}, "int64", index=["x"])),
        ("pd.DataFrame()", frame({})),
        ("pd.DataFrame({'a': [(1, [2.5]), None]}, dtype=object)", frame({"a": [(1, [2.5]), None]}, "object")),
        ("pd.DataFrame([[1, 2]], columns=['a', 'a'])",
         Table("DataFrame", ("a", "a"), (0,), ("int64", "int64"), ((1,), (2,)))),
        ("pd.DataFrame({'k': [1, 1], 'm': [2, 3], 'v': [4, 5]}).set_index(['k', 'm'])",
         frame({"v": [4, 5]}, "int64", index=[(1, 2), (1, 3)])),
        ("pd.Series([1, 2], name='n')", Table("Series", ("n",), (0, 1), ("int64",), ((1, 2),))),
        ("[pd.Series([1])]", [Table("Series", (None,), (0,), ("int64",), ((1,),))]),
    ],
)  # fmt: skip
def test_tables_are_columns_of_plain_values(arena: Arena, expression: str, expected: Value) -> None:
    assert answer(arena, expression) == expected


def test_points_in_time_are_pythons(arena: Arena) -> None:
    found = answer(arena, "pd.DataFrame({'t': pd.to_datetime(['2024-02-29', None])})")
    assert isinstance(found, Table)
    assert repr(found.cells) == "((datetime.datetime(2024, 2, 29, 0, 0), nan),)".replace("nan", "None")
    assert repr(answer(arena, "pd.Timestamp('2024-02-29', tz='Europe/Berlin')")).endswith("3600)))")
    assert repr(answer(arena, "pd.Timedelta(hours=1)")) == "datetime.timedelta(seconds=3600)"
    assert isinstance(answer(arena, "pd.Timestamp(1)"), Opaque), "a nanosecond would be lost"


LIAR = """
class Liar(pd.DataFrame):
    def __eq__(self, other):
        return True

    def equals(self, other):
        return True

    @property
    def shape(self):
        return (1, 1)
"""
CELL = """
class Cell:
    def __eq__(self, other):
        return True

    __hash__ = None

    def __repr__(self):
        raise SystemExit(3)
"""


def test_a_subclass_is_no_table(arena: Arena) -> None:
    found = answer(arena, "Liar({'a': [1]})", LIAR)
    assert isinstance(found, Opaque)
    assert found.type_name == "Liar"


def test_objects_in_cells_are_no_data(arena: Arena) -> None:
    found = answer(arena, "pd.DataFrame({'a': [Cell(), 1]}, dtype=object)", CELL)
    assert isinstance(found, Table)
    assert found.cells == ((Opaque("Cell", ""), 1),)


def test_a_table_within_itself_is_a_cycle(arena: Arena) -> None:
    source = (
        "def loop():\n    t = pd.DataFrame({'a': [None]}, dtype=object)\n"
        "    t.iat[0, 0] = [t]\n    return t\n"
    )
    found = answer(arena, "loop()", source)
    assert isinstance(found, Table)
    assert "Cycle" in repr(found)


@pytest.mark.parametrize(
    "expression",
    [
        "pd.DataFrame({'a': range(10**7)})",
        "pd.Series(np.broadcast_to(np.int8(1), 10**7))",
        "pd.DataFrame(np.broadcast_to(np.int8(1), (3000, 3000)))",
        "pd.DataFrame(index=range(10**8))",
        "[pd.DataFrame({'a': range(400_000)})] * 3",
    ],
)
def test_a_table_that_is_too_large_is_no_answer(arena: Arena, expression: str) -> None:
    source = f"\ndef attack():\n    return {expression}\n"
    outcome = besieged(arena, source, job("attack", limits=LIMITS))
    assert outcome.ending is Ending.ANSWER_SIZE, outcome


def test_other_names_for_pandas_parts_change_nothing(arena: Arena) -> None:
    before = (
        "REAL = pd.DataFrame({'a': [1, 2]})\n"
        "import sys\npd.DataFrame = list\nsys.modules['pandas'] = None\n"
        "pd.Series.tolist = lambda self: [304]\n"
    )
    assert answer(arena, "REAL", before) == frame({"a": [1, 2]}, "int64")


def test_a_module_named_pandas_in_the_submission_changes_nothing(arena: Arena) -> None:
    fake = "class DataFrame:\n    def __init__(self, data):\n        self.data = data\n"
    source = "import pandas as pd\n\ndef attack():\n    return pd.DataFrame({'a': [1]})\n"
    program = Program("attacker", {"attacker": source, "pandas": fake, "matplotlib": "raise SystemExit(3)"})
    with closing(Box(arena.zygote, program, 512 * MIB, LIMITS, LIMITS.time_s, purse=UNBILLED)) as box:
        box.load()
        (outcome,) = box.run([job("attack", limits=LIMITS)])
    assert value(outcome) == frame({"a": [1]}, "int64")


def test_an_argument_arrives_as_a_table_of_pandas(arena: Arena) -> None:
    given = Table("DataFrame", ("a", "b"), ("x", "y"), ("", ""), ((1.5, None), ("u", "v")))
    source = (
        "\ndef attack(t):\n    assert type(t) is pd.DataFrame\n"
        "    return t, str(t.dtypes['a']), t.loc['y', 'b']\n"
    )
    request = encode_request([Call("attack", (given,))], LIMITS)
    found = value(besieged(arena, source, Job(request, LIMITS)))
    assert isinstance(found, tuple)
    table, dtype, cell = found
    assert isinstance(table, Table)
    assert (table.columns, table.index, table.cells) == (given.columns, given.index, given.cells)
    assert (dtype, cell) == ("float64", "v")


# -- plots -----------------------------------------------------------------------------------------


def drawn(arena: Arena, body: str, *parts: str, before: str = "") -> Outcome:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    source = f"import matplotlib.pyplot as plt\n{before}\n\ndef attack():\n{lines}"
    return besieged(arena, source, Job(encode_request([Call("attack", ())], LIMITS, drawn=parts), LIMITS))


def plots(outcome: Outcome) -> list[dict[Value, Value]]:
    found = value(outcome)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("pass", []),
        ("return 3", []),
        ("plt.figure()", []),
        ("plt.plot([1, 4])", [{"lines": [[(0.0, 1.0), (1.0, 4.0)]]}]),
        ("plt.plot([1]); plt.savefig('x.png'); plt.close()", [{"lines": [[(0.0, 1.0)]]}]),
        ("plt.plot([1])\nplt.show()\nplt.plot([2])", [{"lines": [[(0.0, 1.0)]]}, {"lines": [[(0.0, 2.0)]]}]),
        ("plt.plot(['a', 'b'], [1, 2])", [{"lines": [[(0.0, 1.0), (1.0, 2.0)]]}]),
        ("import matplotlib; matplotlib.use('TkAgg'); plt.switch_backend('QtAgg'); plt.plot([1])",
         [{"lines": [[(0.0, 1.0)]]}]),
    ],
)  # fmt: skip
def test_a_plot_is_read_as_data(arena: Arena, body: str, expected: Value) -> None:
    assert value(drawn(arena, body, "lines")) == expected


@pytest.mark.parametrize(
    "after",
    [
        *("plt.savefig('x.png'); plt.clf()", "plt.savefig('x.png'); plt.cla()", "plt.show(); plt.cla()"),
        *("plt.show(); plt.grid()", "fig = plt.gcf(); fig.savefig('x.png'); fig.clear(); plt.close(fig)"),
    ],
)
def test_what_was_saved_or_shown_counts_after_it_was_cleared(arena: Arena, after: str) -> None:
    body = f"plt.plot([1]); plt.title('draft'); plt.clf()\nplt.plot([2]); plt.title('one'); {after}"
    assert value(drawn(arena, body, "title", "lines")) == [{"title": "one", "lines": [[(0.0, 2.0)]]}]
    both = f"for name in ('one', 'two'):\n    plt.plot([2]); plt.title(name); {after}"
    assert value(drawn(arena, both, "title")) == [{"title": "one"}, {"title": "two"}]


def test_axes_without_anything_count_where_nothing_else_was_drawn(arena: Arena) -> None:
    assert value(drawn(arena, "plt.axes()", "title")) == [{"title": ""}]
    body = "left, right = plt.subplots(1, 2)[1]; left.set_title('left')"
    assert value(drawn(arena, body, "title")) == [{"title": "left"}, {"title": ""}]


def test_too_many_plots_that_were_saved_and_cleared_are_no_answer(arena: Arena) -> None:
    body = "plt.rcParams['savefig.dpi'] = 10\nplt.figure(figsize=(1, 1))\n"
    body += "for _ in range(102): plt.plot([1]); plt.gcf().savefig('x.svg'); plt.clf()"
    assert drawn(arena, body, "title").ending is Ending.ANSWER_SIZE


def test_what_the_import_drew_does_not_count_for_a_call(arena: Arena) -> None:
    found = drawn(arena, "plt.title('own')", "title", before="plt.plot([1])\nplt.title('import')")
    assert value(found) == [{"title": "own"}]


def test_every_part_can_be_read(arena: Arena) -> None:
    body = (
        "fig, ax = plt.subplots()\n"
        "ax.bar(['a', 'b'], [1, 2], label='x')\nax.barh([0], [5])\nax.scatter([1, 2], [3, 4])\n"
        "ax.set(title='T', xlabel='X', ylabel='Y', xlim=(0, 4), ylim=(1, 100), yscale='log')\nax.legend()"
    )
    parts = (
        "title",
        "xlabel",
        "ylabel",
        "legend",
        "points",
        "bars",
        "xticks",
        "xlim",
        "ylim",
        "xscale",
        "yscale",
    )
    (found,) = plots(drawn(arena, body, *parts))
    assert repr(found.pop("points")) == "[[(1.0, 3.0), (2.0, 4.0)]]"
    assert found == {
        "title": "T", "xlabel": "X", "ylabel": "Y", "legend": ["x"], "bars": [[1.0, 2.0], [5.0]],
        "xticks": ["a", "b"], "xlim": (0.0, 4.0), "ylim": (1.0, 100.0), "xscale": "linear", "yscale": "log",
    }  # fmt: skip


@pytest.mark.parametrize(
    "body",
    ["plt.plot(range(10**6))", "plt.scatter(range(10**6), range(10**6))", "plt.subplots(11, 11)",
     "for _ in range(3): plt.plot(range(60_000))"],
)  # fmt: skip
def test_a_plot_that_is_too_large_is_no_answer(arena: Arena, body: str) -> None:
    assert drawn(arena, body, "lines", "points").ending is Ending.ANSWER_SIZE


def drawn_by_import(arena: Arena, source: str) -> Value:
    asked = Job(encode_request([Call("", ())], LIMITS, drawn=("title", "lines")), LIMITS)
    return value(arena.besiege(source, asked, memory_b=512 * MIB).outcome)


def test_what_an_import_draws(arena: Arena) -> None:
    source = "import matplotlib.pyplot as plt\nplt.plot([1])\nplt.title('a')\nplt.plot([2])\nplt.show()\n"
    lines = [[(0.0, 1.0)], [(0.0, 2.0)]]
    assert drawn_by_import(arena, source) == [{"title": "a", "lines": lines}]
    assert drawn_by_import(arena, "X = 1\n") == []


def test_each_cell_of_a_notebook_draws_figures_of_its_own(arena: Arena) -> None:
    cells = [
        "import matplotlib.pyplot as plt\nplt.plot([1])",
        "plt.plot([2])\nraise KeyError",
        "plt.title('c')",
    ]
    found = drawn_by_import(arena, joined(enumerate(cells, 1)))
    lines = [[[(0.0, 1.0)]], [[(0.0, 2.0)]], []]
    assert found == [
        {"title": title, "lines": each} for title, each in zip(["", "", "c"], lines, strict=True)
    ]


def test_saving_raises_nothing_where_nothing_can_be_written(arena: Arena) -> None:
    assert value(drawn(arena, "plt.plot([1]); plt.savefig('/usr/x.png')", "title")) == [{"title": ""}]
    missing = drawn(arena, "plt.plot([1]); plt.savefig('no/folder/x.png')", "title")
    assert isinstance(missing.answers[0], RaisedAnswer)


LIARS = """
from matplotlib.lines import Line2D

class Title(str):
    def __eq__(self, other):
        return True
    __hash__ = str.__hash__

class Line(Line2D):
    def get_xdata(self, orig=True):
        raise KeyError("no")

class Odd:
    def __float__(self):
        raise SystemExit(3)
"""


def test_artists_that_lie_or_raise_are_no_data(arena: Arena) -> None:
    body = "fig, ax = plt.subplots()\nax.add_line(Line([1], [2]))\nax.get_title = lambda *a, **k: Title('T')"
    (found,) = plots(drawn(arena, body, "lines", "title", before=LIARS))
    assert type(found["title"]) is str
    assert isinstance(found["lines"], Opaque)
    assert found["lines"].text == "it cannot be read: KeyError"


def test_a_module_named_matplotlib_draws_nothing(arena: Arena) -> None:
    before = (
        "import sys, types\nfake = types.ModuleType('matplotlib.pyplot')\n"
        "sys.modules['matplotlib.pyplot'] = plt = fake\n"
        "fake.close = lambda *a: None\nfake.plot = lambda *a: None"
    )
    assert value(drawn(arena, "plt.plot([1])", "lines", before=before)) == []
