"""Submissions that say one thing to the rules, and another when they run."""

from pathlib import Path
from textwrap import dedent

import pytest
from support.marking import cases, mark
from support.rows import first_of

from grader.model.results import SubmissionResult
from grader.model.submission import AS_BYTES
from grader.wire.notebook import joined

RULES = """
rules:
  - forbidden imports: {names: [itertools, os], penalty: 25%}
  - forbidden names: {names: [eval, exec, sorted, .sort, os.getcwd], penalty: 25%}
  - no recursion: {penalty: 25%}
"""
QUESTION = """
questions:
  - id: "1"
    title: f
    marks: 1
    cases:
      - {call: "f([3, 1])", returns: "[1, 3]"}
"""
CHEATS = """
import os, itertools
def f(xs):
    return sorted(xs)
def g(n):
    return g(n - 1)
"""
DIGITS = f"BIG = {'7' * 5_000}\n"
ANY_DIGITS = "import sys\nsys.set_int_max_str_digits(0)\n"
HIDES: dict[str, str | dict[str, str]] = {
    "another comparison in a later cell": joined(
        [(1, "from __future__ import barry_as_FLUFL"), (2, f"{CHEATS}odd = 1 <> 2")]
    ),
    "another comparison, and a cell that fails": joined(
        [(1, "from __future__ import barry_as_FLUFL\n1 / 0"), (2, f"{CHEATS}odd = 1 <> 2")]
    ),
    "digits in a later cell": joined([(1, ANY_DIGITS), (2, DIGITS + CHEATS)]),
    "digits in a file": {"work": f"{ANY_DIGITS}from h import f, g\n", "h": DIGITS + CHEATS},
    "digits in a file of a file": {
        "work": f"{ANY_DIGITS}from h import f, g\n",
        "h": "from i import f, g\n",
        "i": DIGITS + CHEATS,
    },
    "a codec of its own": {
        "work": """
            import codecs
            def find(name):
                def decode(data, errors="strict"):
                    return bytes(data).replace(b"=#", b"=0;").decode(), len(data)
                if name == "mine":
                    return codecs.CodecInfo(None, decode, name=name)
            codecs.register(find)
            from h import f, g
            """,
        "h": f"{AS_BYTES}# coding: mine\n{CHEATS}",
    },
    "a notebook of such cells alone": {
        "work": f"{ANY_DIGITS}from h import f, g\n",
        "h": joined([(1, DIGITS + CHEATS)]),
    },
}
HONEST = "def f(xs):\n    return [min(xs), max(xs)]\n"


def broken(result: SubmissionResult) -> list[str]:
    return [rule.rule.partition(":")[0] for rule in result.rules if rule.findings]


@pytest.mark.parametrize("name", HIDES)
def test_what_the_rules_could_not_read_does_not_run(name: str, tmp_path: Path) -> None:
    result = mark(tmp_path, RULES + QUESTION, HIDES[name])
    assert str(cases(result)["1.1"].verdict) in ("load-error", "missing")
    assert result.mark == 0


def test_the_same_runs_where_there_are_no_rules(tmp_path: Path) -> None:
    """So these are programs that Python takes once they have begun."""
    verdicts = {}
    for number, (name, work) in enumerate(HIDES.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        verdicts[name] = str(cases(mark(folder, QUESTION, work))["1.1"].verdict)
    refused = {name for name in HIDES if "comparison" in name}
    assert {name for name, verdict in verdicts.items() if verdict != "accepted"} == refused


def test_a_codec_that_is_exchanged_later_changes_nothing(tmp_path: Path) -> None:
    """The rules read the bytes by Python's codec, and what they read is what runs."""
    work = """
        import sys, types, codecs
        mine = types.ModuleType("encodings.utf_7")
        def decode(data, errors="strict"):
            return "import os\\ndef f(xs): return [1, 3]\\n", len(data)
        mine.getregentry = lambda: codecs.CodecInfo(None, decode, name="utf-7")
        sys.modules["encodings.utf_7"] = mine
        from h import f
        """
    hidden = f"{AS_BYTES}# coding: utf-7\ndef f(xs):\n    return 7\n"
    result = mark(tmp_path, RULES + QUESTION, {"work": work, "h": hidden})
    assert (cases(result)["1.1"].actual, broken(result)) == ("7", [])
    (tmp_path / "free").mkdir()
    free = mark(tmp_path / "free", QUESTION, {"work": work, "h": hidden})
    assert str(cases(free)["1.1"].verdict) == "accepted"


@pytest.mark.parametrize("folder", [".", "./", "/usr/lib/../../box/work", "h.zip"])
def test_what_a_program_writes_cannot_be_imported(folder: str, tmp_path: Path) -> None:
    work = f"""
        import sys, zipfile
        text = "import os\\ndef f(xs): return sorted(xs)\\n"
        with open("h.py", "w") as file:
            file.write(text)
        with zipfile.ZipFile("h.zip", "w") as file:
            file.writestr("h.py", text)
        sys.path.insert(0, {folder!r})
        try:
            from h import f
        except ImportError:
            def f(xs): return 7
        """
    assert cases(mark(tmp_path, RULES + QUESTION, work))["1.1"].actual == "7"


def test_a_text_that_decodes_to_a_mark_of_ours_is_refused(tmp_path: Path) -> None:
    hidden = b"# coding: utf-7\n" + b"+3AE-" + CHEATS.encode()
    files = {"work": "from h import f\n", "h": AS_BYTES + hidden.decode("utf-8", "surrogateescape")}
    assert mark(tmp_path, RULES + QUESTION, files).mark == 0


def test_an_honest_fault_is_told_as_python_tells_it(tmp_path: Path) -> None:
    result = mark(
        tmp_path, RULES + QUESTION, {"work": "from h import f\n", "h": "x = 1\ndef f(xs:\n    pass\n"}
    )
    (case,) = cases(result).values()
    assert str(case.verdict) == "load-error"
    assert "'(' was never closed" in case.message
    assert not broken(result)


def test_a_cell_that_is_no_python_takes_no_other_with_it(tmp_path: Path) -> None:
    result = mark(tmp_path, RULES + QUESTION, joined([(1, "def ("), (2, HONEST)]))
    assert str(cases(result)["1.1"].verdict) == "accepted"


# -- a module that ends the look at all of them ----------------------------------------------------------

HALF = "import other\ndef f(xs):\n    return xs if xs == [1, 3] else other.g(xs)\n"
OTHER = "import work\ndef g(xs):\n    return work.f([1, 3])\n"


@pytest.mark.parametrize(
    "heavy",
    [
        pytest.param("a=1\n" * (1 << 18), id="lines", marks=pytest.mark.acceptance),
        pytest.param("a = " + "-" * 100_000 + "1\n", id="levels"),
    ],
)
def test_recursion_over_two_files_is_seen_beside_a_heavy_one(heavy: str, tmp_path: Path) -> None:
    work = f"try:\n    import heavy\nexcept BaseException:\n    pass\n{HALF}"
    result = mark(tmp_path, RULES + QUESTION, {"work": work, "other": OTHER, "heavy": heavy})
    findings = {rule.rule.partition(":")[0]: rule.findings for rule in result.rules}
    assert any("calls" in finding.message for finding in findings["no recursion"])


@pytest.mark.acceptance
def test_a_look_at_one_file_knows_the_others_by_name(tmp_path: Path) -> None:
    """An import of one's own file is none from outside, also where each file is looked at alone."""
    rules = "rules:\n  - allowed imports: {names: [math], penalty: 25%}\n"
    files = {"work": "import other, heavy\ndef f(xs): return [1, 3]\n", "other": "import math, work\n"}
    result = mark(tmp_path, rules + QUESTION, {**files, "heavy": "a=1\n" * (1 << 18)})
    messages = [finding.message for rule in result.rules for finding in rule.findings]
    assert all("too complex" in message for message in messages), messages


# -- names of the library that lead elsewhere ------------------------------------------------------------

OTHER_NAMES = {
    "a module's own import": ("forbidden imports", "import random\nx = random._os.getcwd()"),
    "taken from a module": ("forbidden imports", "from random import _os"),
    "public import of a module": ("forbidden imports", "import logging\nx = logging.os"),
    "a function under another name": ("forbidden imports", "from collections import _chain"),
    "such a function by attribute": ("forbidden imports", "import collections\nx = collections._chain"),
    "getattr": ("forbidden imports", "import random\nx = getattr(random, '_os').getcwd"),
    "built-ins of a module": ("forbidden names", "import codecs\nx = codecs.builtins.sorted"),
    "built-ins, computed": (
        "forbidden names",
        "import codecs\nb = codecs.builtins\nx = b.__dict__['so' + 'rted']",
    ),
    "built-ins, by getattr": ("forbidden names", "import codecs\nx = getattr(codecs.builtins, chr(115))"),
    "the system's own module": ("forbidden names", "import posix\nx = posix.getcwd()"),
    "annotations": (
        "forbidden names",
        "import typing\ndef t(x: 'sorted'): pass\nx = typing.get_type_hints(t)",
    ),
    "a forward reference": ("forbidden names", "from typing import ForwardRef as R\nx = R('sorted')"),
    "a timed text": ("forbidden names", "import timeit\ntimeit.timeit('x = sorted', number=1)"),
    "a resolver": ("forbidden names", "import pkgutil\nx = pkgutil.resolve_name('builtins:sorted')"),
    "a configurator": (
        "forbidden names",
        "import logging.config as c\nx = c.BaseConfigurator({}).resolve('builtins.sorted')",
    ),
    "the table of modules of a module": (
        "forbidden imports",
        "import statistics\nx = statistics.sys.modules['os']",
    ),
    "a loader of files": (
        "forbidden names",
        "from importlib.machinery import SourceFileLoader\nx = SourceFileLoader('h', 'h.py')",
    ),
    "hooks of imports": ("forbidden names", "import sys\nsys.path_hooks.clear()"),
    "table of a type": ("forbidden names", "list.__dict__['sort']([])"),
    "table of a type, by vars": ("forbidden names", "vars(list)['so' + 'rt']([])"),
    "table of a type, computed": ("forbidden names", "list.__dict__[chr(115)]"),
    "table of a type, by get": ("forbidden names", "list.__dict__.get('sort')"),
}


@pytest.mark.parametrize("name", first_of(OTHER_NAMES, 6))
def test_another_name_for_what_is_forbidden_breaks_the_rule(name: str, tmp_path: Path) -> None:
    rule, text = OTHER_NAMES[name]
    result = mark(tmp_path, RULES + QUESTION, f"{text}\n{HONEST}")
    assert rule in broken(result)


ALLOWED = """
import collections.abc, datetime, functools, heapq, json, math, random, re, statistics, string, time, typing
from collections import deque, namedtuple, OrderedDict, defaultdict, Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime as stamp, timedelta
from functools import lru_cache, reduce, partial, wraps, cmp_to_key
from pathlib import Path
from socket import error, timeout
from typing import Callable, List, NamedTuple, OrderedDict as Ordered
now = stamp.now, time.time, time.sleep, math.gcd, random.choice, re.compile, string.digits
heap = heapq.heappush, heapq.nsmallest, statistics.mean, json.dumps, datetime.timezone
"""


def test_the_library_s_usual_names_break_nothing(tmp_path: Path) -> None:
    rules = RULES.replace("[itertools, os]", "[itertools, os, operator, types, posix, builtins, threading]")
    assert broken(mark(tmp_path, rules + QUESTION, ALLOWED + HONEST)) == []
    names = (
        "collections, concurrent, dataclasses, datetime, functools, heapq, json, math, pathlib, random, re"
    )
    allowed = f"rules:\n  - allowed imports: {{names: [{names}, socket, statistics, string, time, typing]}}\n"
    (tmp_path / "allowed").mkdir()
    assert broken(mark(tmp_path / "allowed", allowed + QUESTION, ALLOWED + HONEST)) == []


# -- patterns of ast-grep --------------------------------------------------------------------------------

PATTERNS = "rules: [{forbidden constructs: {patterns: ['sorted($$$)', 'while $X: $$$Y'], penalty: 25%}}]\n"
WRITTEN_OTHERWISE = {
    "in parentheses": "    return (sorted)(xs)",
    "in many": "    return (((sorted)))(xs)",
    "in letters of full width": "    return \uff53\uff4f\uff52\uff54\uff45\uff44(xs)",
    "over lines": "    return (\n        sorted\n    )(\n        xs\n    )",
}


@pytest.mark.parametrize("name", WRITTEN_OTHERWISE)
def test_patterns_see_what_python_reads(name: str, tmp_path: Path) -> None:
    result = mark(tmp_path, PATTERNS + QUESTION, f"# one\n\ndef f(xs):\n{WRITTEN_OTHERWISE[name]}\n")
    (finding,) = result.rules[0].findings
    assert (finding.line, finding.message) == (4, "`sorted($$$)` is not allowed")


def test_a_finding_in_both_texts_counts_once(tmp_path: Path) -> None:
    work = dedent("""
        def f(xs):
            ys = [
                sorted(xs),
                1,
            ]
            while ys:
                return sorted(xs)
            return (sorted)(xs)
        """)
    result = mark(tmp_path, PATTERNS + QUESTION, work)
    assert sorted((found.line, found.message[1:6]) for found in result.rules[0].findings) == [
        (4, "sorte"), (7, "while"), (8, "sorte"), (9, "sorte"),
    ]  # fmt: skip
