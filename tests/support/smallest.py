"""The smallest task for each sort of value and each kind of case, for tables of what consumers do with them.

`SORTS` and `KINDS` are the rows of such tables.  `write_sorts` and `write_kinds` write one spec with a
question for each row, so that a table costs one run.
"""
# ruff: noqa: E501  # A row of a table stands on one line.

import textwrap
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sort:
    """A sort of value.

    text: as one writes it in a spec; empty where it cannot be written there.
    made: as the reference makes it; like `text` where it is empty.
    """

    text: str
    made: str = ""

    @property
    def expression(self) -> str:
        return self.made or self.text


VALUES = """
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple


@dataclass
class Point:
    x: object
    y: object


class Pair(NamedTuple):
    x: object
    y: object


class Colour(Enum):
    RED = 1
    BLUE = 2


class Odd:
    pass


class Same:
    def __init__(self, x):
        self.x = x


def circle():
    found = [1]
    found.append(found)
    return found


def numpy():
    import numpy

    return numpy


def pandas():
    import pandas

    return pandas
"""
TYPES = (
    "{Point: {fields: [x, y]}, Pair: {fields: [x, y]}, Same: {fields: [x]}, Colour: {members: [RED, BLUE]}}"
)
SORTS = {
    "none": Sort("None"),
    "bool": Sort("True"),
    "int": Sort("7"),
    "long-int": Sort("10**40"),
    "huge-int": Sort("", "10**5000"),
    "float": Sort("0.5"),
    "nan": Sort("float('nan')"),
    "infinity": Sort("float('-inf')"),
    "complex": Sort("1+2j"),
    "str": Sort("'ab'"),
    "surrogate": Sort("'a\\udc80'"),
    "bytes": Sort("b'\\xff\\x00'"),
    "list": Sort("[3, 1]"),
    "nested-list": Sort("[[1, 'a'], [], [None, [2.5]]]"),
    "list-of-nan": Sort("[float('nan'), 1.0]"),
    "tuple": Sort("(1, 'a')"),
    "set": Sort("{1, 2}"),
    "set-of-mixed": Sort("{1, 'a', (2, 3)}"),
    "frozenset": Sort("frozenset({'a', 'b'})"),
    "dict": Sort("{'a': 1, 'b': [2]}"),
    "dict-of-tuples": Sort("{(1, 2): {3}, None: 4}"),
    "date": Sort("date(2024, 2, 29)"),
    "datetime": Sort("datetime(2024, 2, 29, 12, 30)"),
    "time": Sort("time(12, 30)"),
    "timedelta": Sort("timedelta(days=2)"),
    "fraction": Sort("Fraction(1, 3)"),
    "decimal": Sort("Decimal('1.50')"),
    "decimal-nan": Sort("", "Decimal('sNaN')"),
    "path": Sort("Path('a/b.txt')"),
    "range": Sort("range(2, 9, 3)"),
    "list-of-dates": Sort("[date(2024, 2, 29), date(2023, 1, 1)]"),
    "record": Sort("Point(1, [2, 3])"),
    "record-of-record": Sort("Point(Point(1, 2), {'a': Point(3, 4)})"),
    "namedtuple": Sort("Pair(1, 2)"),
    "enum": Sort("Colour.RED"),
    "enum-in-dict": Sort("{Colour.RED: [Colour.BLUE]}"),
    "table": Sort(
        "DataFrame({'a': [1, 2], 'b': ['x', None]})", "pandas().DataFrame({'a': [1, 2], 'b': ['x', None]})"
    ),
    "series": Sort("Series([0.5, 1.5], name='s')", "pandas().Series([0.5, 1.5], name='s')"),
    "table-in-list": Sort("[DataFrame({'a': [1]}), 2]", "[pandas().DataFrame({'a': [1]}), 2]"),
    "table-in-record": Sort("Point(DataFrame({'a': [1]}), 2)", "Point(pandas().DataFrame({'a': [1]}), 2)"),
    "array": Sort("[[1, 2], [3, 4]]", "numpy().array([[1, 2], [3, 4]])"),
    "array-of-floats": Sort("[0.5, 1.5]", "numpy().array([0.5, 1.5])"),
    "array-scalar": Sort("0.5", "numpy().float64(0.5)"),
    "cycle": Sort("", "circle()"),
    "opaque": Sort("", "Odd()"),
    "opaque-in-list": Sort("", "[Odd(), 1]"),
    "odd-set": Sort("", "{Same(1), Same(1)}"),
    "set-of-records": Sort("", "{Pair(1, 2), Pair(2, 1)}"),
}
"""All sorts; of an array the text is the list that it becomes."""
PACKAGES = {"table": "pandas", "series": "pandas", "array": "numpy"}
NOT_DATA = ("cycle", "opaque", "odd-set", "decimal-nan")
"""How names of sorts begin that no case can expect, so that checkers alone can look at them."""

_CHECKERS = """
def stands(answer):
    return None if answer is not None else "there is no answer"


def is_valid_input(function, *arguments):
    return True
"""
_SORTS_HEAD = """\
task: sorts
title: Sorts
marks: {marks}
reference: reference
checkers: checkers.py
packages: [{packages}]
types: {types}
modules: {{work: work.py}}
limits: {{time: 5s}}
questions:
"""


def function_of(name: str) -> str:
    return name.replace("-", "_")


def cases_of(name: str) -> dict[str, str]:
    """Return the cases of a sort, by what they try: as an argument, an answer, and an answer to a checker."""
    sort, function = SORTS[name], function_of(name)
    quoted = sort.text.replace("'", "''")
    cases = {"checked": f"{{call: make_{function}(1), check: stands()}}"}
    if not name.startswith(NOT_DATA):
        cases["answer"] = f"{{call: make_{function}(1), returns: same as reference}}"
    if sort.text:
        cases["argument"] = f"{{call: 'pass_{function}({quoted}, 1)', returns: same as reference}}"
        cases["argument-checked"] = f"{{call: 'pass_{function}({quoted}, 1)', check: stands()}}"
    if sort.text and not sort.made:
        cases["literal"] = f"{{call: 'pass_{function}({quoted}, 2)', returns: '{quoted}'}}"
    return cases


def write_sorts(
    folder: Path,
    names: Collection[str] = tuple(SORTS),
    cases: Callable[[str], Mapping[str, str]] = cases_of,
    more: str = "",
) -> Path:
    """Write a task with a question for each sort; return the path of its spec.

    cases: the cases of a sort, by name.  more: checkers that they need.
    """
    work = VALUES
    questions = ""
    for name in names:
        function = function_of(name)
        work += f"\n\ndef make_{function}(n):\n    if n > 3:\n        return None\n    return {SORTS[name].expression}\n"
        work += f"\n\ndef pass_{function}(x, n):\n    if n > 3:\n        return None\n    return x\n"
        questions += f"  - id: {name}\n    title: {name}\n    marks: 1\n    award: each\n    cases:\n"
        questions += "".join(f"      - {{name: {key}, {case[1:]}\n" for key, case in cases(name).items())
    packages = sorted(
        {package for key, package in PACKAGES.items() if any(each.startswith(key) for each in names)}
    )
    head = _SORTS_HEAD.format(marks=len(names), packages=", ".join(packages), types=TYPES)
    return _written(
        folder,
        "sorts.yaml",
        {"sorts.yaml": head + questions, "reference/work.py": work, "checkers.py": _CHECKERS + more},
    )


@dataclass(frozen=True)
class Kind:
    """A kind of case.

    cases: as YAML below `cases:`.  work: what the reference's module has for it.
    module: another module that it is about.  files: beside the spec.  needs: packages, or commands.
    more: keys of the question.
    """

    cases: str
    work: str = ""
    module: str = "work"
    files: Mapping[str, str] = ()  # type: ignore[assignment]
    needs: tuple[str, ...] = ()
    more: str = ""


_TRIPLE = "def triple(n):\n    if n < 0:\n        raise ValueError('too small')\n    return 3 * n\n"
_MODULES = {
    "ask": """
        import sys


        def main():
            name = input("Name? ")
            print("Hello " + name + "!")
            if name == "nobody":
                sys.exit(3)


        if __name__ == "__main__":
            main()
    """,
    "sums": """
        import sys


        def main():
            numbers = [int(line) for line in sys.stdin]
            print(sum(numbers))
            with open("sum.txt", "w") as file:
                file.write(str(len(numbers)))


        if __name__ == "__main__":
            main()
    """,
    "chart": """
        import matplotlib.pyplot as plt

        plt.bar([1, 2], [3, 4])
        plt.title("Bars")
    """,
    "test_leap": """
        from leap import leap


        def test_leap():
            assert leap(2000)
            assert not leap(1900)
    """,
}
_KINDS_FILES = {
    "harness.py": "import work\n\n\ndef twice(n):\n    return work.triple(n) + work.triple(n)\n",
    "driver.py": "import sys\n\nimport sums\n\nsums.main()\nprint('ran', sums.__name__[: 4 * int(sys.argv[1])])\n",
    "test_work.py": "import work\n\n\ndef test_triple():\n    assert work.triple(2) == 6\n",
    "right/leap.py": "def leap(y):\n    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)\n",
    "wrong-leap/leap.py": "def leap(y):\n    return y % 4 == 0\n",
    "checkers.py": """
        def even(answer):
            return None if answer % 2 == 0 else f"{answer} is odd"


        def first(answers, n):
            return None if answers == list(range(0, 3 * n, 3)) else "not the first ones"


        def named(transcript):
            return "Ada" if len(transcript) == 1 else None


        def ran(did):
            return None if did["stdout"] == "3\\n" else "it prints no 3"


        def last(step):
            return None if step == 8 else "no 8"
    """,
}
KINDS = {
    "call": Kind("- {call: triple(2), returns: 6}"),
    "reference": Kind("- {call: triple(2), returns: same as reference}"),
    "checker": Kind("- {call: triple(2), check: even()}"),
    "raises": Kind("- {call: triple(-1), raises: ValueError}"),
    "unchanged": Kind(
        "- {call: 'total([1, 2])', returns: 3, unchanged: true}", "def total(xs):\n    return sum(xs[:2])\n"
    ),
    "sum": Kind("- {sum: triple(x), over: {x: range(4)}, returns: 18}"),
    "count": Kind(
        "- {count: is_odd(x), over: {x: range(4)}, returns: 2}", "def is_odd(n):\n    return n % 2 == 1\n"
    ),
    "each": Kind("- {each: triple(x), over: {x: range(3)}, returns: '[0, 3, 6]'}"),
    "each-checked": Kind("- {each: triple(x), over: {x: range(3)}, check: first(n=3)}"),
    "watched": Kind(
        "- {call: 'applied(f, 3)', watch: {f: {answer: 'lambda x: x * 10', calls: [3]}}, returns: 31}",
        "def applied(f, n):\n    return f(n) + 1\n",
    ),
    "shipped": Kind(
        "- {call: 'mapped(lambda x: x + 1, 3)', returns: 8}", "def mapped(f, n):\n    return f(n) * 2\n"
    ),
    "expression": Kind("- {call: 'abs(triple(5))', returns: 15}"),
    "reads": Kind(
        "- {call: Box(2), reads: [_.n], returns: {_.n: 2}}",
        "class Box:\n    def __init__(self, n):\n        self.n = n\n",
    ),
    "scenario": Kind(
        "- scenario:\n    - {new: Sum(5), as: s}\n    - {call: s.add(3), returns: 8}\n    - {read: s.n, returns: 8}",
        "class Sum:\n    def __init__(self, n):\n        self.n = n\n\n    def add(self, n):\n        self.n += n\n        return self.n\n",
    ),
    "scenario-raises": Kind(
        "- scenario:\n    - {new: Sum(5), as: s}\n    - {call: s.add(None), raises: TypeError}"
    ),
    "scenario-prints": Kind("- scenario:\n    - {call: say(2), prints: same as reference}"),
    "scenario-files": Kind(
        '- scenario:\n    - {call: lines(2), returns: 3}\n  files: {in.txt: "a\\n"}\n  leaves: {out.txt: same as reference}'
    ),
    "scenario-checked": Kind(
        "- scenario:\n    - {new: Sum(5), as: s}\n    - {call: s.add(3), as: step}\n  check: last(step)"
    ),
    "program": Kind('- {program: sums, stdin: "1\\n2\\n", stdout: "3\\n"}', module="sums"),
    "program-checked": Kind('- {program: sums, stdin: "1\\n2\\n", check: ran()}', module="sums"),
    "program-leaves": Kind(
        '- {program: sums, stdin: "1\\n2\\n", stdout: "3\\n", leaves: {sum.txt: same as reference}}',
        module="sums",
    ),
    "program-harness": Kind(
        '- {program: sums, harness: driver.py, arguments: ["1"], stdin: "1\\n2\\n", stdout: "3\\nran sums\\n"}',
        module="sums",
    ),
    "dialogue": Kind(
        "- {program: ask, dialogue: [{says: 'Name? ', answer: Bo}], stdout: \"Hello Bo!\\n\"}", module="ask"
    ),
    "player": Kind('- {program: ask, player: named(), stdout: "Hello Ada!\\n"}', module="ask"),
    "exit": Kind('- {program: ask, stdin: "nobody\\n", exit: 3, stdout: same as reference}', module="ask"),
    "prints": Kind('- {call: say(2), prints: "no. 2\\n"}', "def say(n):\n    print('no.', n)\n"),
    "files": Kind(
        '- {call: lines(1), files: {in.txt: "a\\nb\\n"}, leaves: {out.txt: "3"}, returns: 3}',
        "def lines(n):\n    with open('in.txt') as file:\n        found = len(file.readlines()) + n\n"
        "    with open('out.txt', 'w') as file:\n        file.write(str(found))\n    return found\n",
    ),
    "plot": Kind(
        "- {call: draw(3), plot: same as reference}",
        "def draw(n):\n    import matplotlib.pyplot as plt\n\n    plt.plot([0, 1], [n, n + 1])\n    plt.title('Up')\n",
        needs=("matplotlib",),
    ),
    "plot-alone": Kind("- {plot: same as reference}", module="chart", needs=("matplotlib",)),
    "array": Kind(
        "- {call: ramp(3), returns: same as reference, abs: 0.01}",
        "def ramp(n):\n    import numpy\n\n    return numpy.arange(n) / 2\n",
        needs=("numpy",),
    ),
    "image": Kind(
        "- {call: disc(5), returns: same as reference, differing: 1%, picture: image()}",
        "def disc(r):\n    side = range(-r, r + 1)\n    return [[int(x * x + y * y < r * r) for x in side] for y in side]\n",
    ),
    "table": Kind(
        "- {call: 'frame([2, 1])', returns: same as reference, index: any}",
        "def frame(xs):\n    import pandas\n\n    return pandas.DataFrame({'a': sorted(xs)})\n",
        needs=("pandas",),
    ),
    "table-argument": Kind(
        "- {call: \"column(DataFrame({'a': [2, 1]}))\", returns: [2, 1]}",
        "def column(df):\n    return [x for x in df['a']]\n",
        needs=("pandas",),
    ),
    "time": Kind(
        "- {call: triple(2), returns: same as reference}", more="award: by-time\npace: {full: 20, none: 40}"
    ),
    "growth": Kind(
        "- {call: found(xs), grow: {n: [100, 200, 400]}, given: {xs: '[0] * n'}, growth: quadratic, returns: same as reference}",
        "def found(xs):\n    return xs[0] if xs else None\n",
    ),
    "rule": Kind("- {call: triple(2), returns: 6}\n- {rule: no recursion}"),
    "pattern": Kind(
        '- {call: triple(2), returns: 6}\n- {rule: {forbidden constructs: {patterns: "eval($X)"}}}',
        needs=("ast-grep",),
    ),
    "given": Kind(
        "- {call: triple(n), given: {n: 'integers(0, 9)'}, examples: 5, returns: same as reference}"
    ),
    "given-table": Kind("- {call: triple(n), given: [{n: 2, it: 6}, {n: 3, it: 9}], returns: it}"),
    "harness": Kind("- {call: twice(2), harness: harness.py, returns: 12}"),
    "test-file": Kind("- {pytest: test_work.py}", needs=("pytest",)),
    "student-tests": Kind(
        "- student tests: test_leap\n  against: {module: leap, right: [right/leap.py], wrong: [wrong-leap/leap.py]}",
        module="test_leap",
        needs=("pytest",),
    ),
    "manual": Kind("", more="criteria: [{id: words, title: The words, marks: 1}]"),
}
_KINDS_HEAD = """\
task: kinds
title: Kinds
marks: {marks}
reference: reference
checkers: checkers.py
packages: [{packages}]
modules: {{{modules}}}
limits: {{time: 5s}}
questions:
"""


def write_kinds(folder: Path, names: Collection[str] = tuple(KINDS)) -> Path:
    """Write a task with a question for each kind; return the path of its spec."""
    works = [_TRIPLE, *dict.fromkeys(work for each in KINDS.values() if (work := each.work))]
    modules = dict.fromkeys(["work", *(KINDS[name].module for name in names)])
    packages = dict.fromkeys(
        need for name in names for need in KINDS[name].needs if need in ("numpy", "pandas", "matplotlib")
    )
    head = _KINDS_HEAD.format(
        marks=len(names),
        packages=", ".join(packages),
        modules=", ".join(f"{module}: {module}.py" for module in modules),
    )
    questions = ""
    for name in names:
        kind = KINDS[name]
        questions += f"  - id: {name}\n    title: {name}\n    marks: 1\n"
        questions += f"    module: {kind.module}\n" if kind.cases else ""
        questions += textwrap.indent(f"{kind.more}\n", "    ") if kind.more else ""
        questions += "    cases:\n" + textwrap.indent(kind.cases, "      ") + "\n" if kind.cases else ""
    files = {"kinds.yaml": head + questions, "reference/work.py": "\n\n".join(works)}
    files |= {f"reference/{name}.py": _MODULES[name] for name in modules if name in _MODULES}
    return _written(folder, "kinds.yaml", files | _KINDS_FILES)


def _written(folder: Path, spec: str, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return folder / spec
