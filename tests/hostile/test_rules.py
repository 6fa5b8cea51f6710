"""Sources made to harm whoever looks at them: each is told apart from one that keeps the rules."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from support.rows import first_of

from grader.model.rule import Rule, RuleKind
from grader.sandbox.budget import UNBILLED, Budget
from grader.sandbox.driver import LADDER
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.tools.rule_box import LOOK_S, LOOK_WALL_S, RuleBox
from grader.sandbox.tools.source_tools import NoSight, lint, search
from grader.sandbox.tools.tool import ToolLimits, run_tool
from grader.sandbox.zygote import SandboxFailure, Zygote

RECURSIVE = "def f(n):\n    return f(n - 1)\n"
KINDS = (RuleKind.NO_RECURSION, RuleKind.NO_GLOBALS, RuleKind.NO_WARNINGS)

BOMBS = {
    "brackets": "(" * 100_000,
    "closed brackets": "x = " + "(" * 150 + "1" + ")" * 150,
    "minus signs": "x = " + "-" * 100_000 + "1",
    "sum": "x = " + "1+" * 50_000 + "1",
    "attributes": "x" + ".x" * 100_000,
    "calls": "x" + "()" * 50_000,
    "subscripts": "x" + "[0]" * 50_000,
    "lambdas": "x = " + "lambda: " * 20_000 + "1",
    "nested lambdas": "x = " + "(lambda: " * 150 + "1" + ")" * 150,
    "elif": "if 1: pass\n" + "elif 1: pass\n" * 20_000,
    "blocks": "".join("\t" * depth + "if 1:\n" for depth in range(99)) + "\t" * 99 + "pass\n",
    "comprehensions": "x = " + "[x for x in " * 100 + "y" + "]" * 100,
    "f-strings": "x = f'" + "{x}" * 20_000 + "'",
    "one name": "x = 1\n" * 50_000,
    "names of each other": "".join(f"x{n} = x{n + 1}\n" for n in range(20_000)),
    "functions of each other": "".join(f"def f{n}(): f{n + 1}(f{n})\n" for n in range(10_000)),
    "one function for all": "def f("
    + ", ".join(f"a{n}" for n in range(2000))
    + "): pass\n"
    + "".join(f"f({n})\n" for n in range(20_000)),
    "classes of each other": "".join(f"class C{n}(C{n - 1}): pass\n" for n in range(1, 10_000)),
    "text in text": 'exec("' + "exec(" * 5000 + '")',
    "long number": "x = " + "9" * 500_000,
    "long line": "# " + "x" * 900_000,
    "continued lines": "x = 1 + \\\n" * 50_000 + "1",
    "form feeds": "\f" * 500_000,
    "surrogates": "x = '\ud800'",
    "bidirectional": "x = 1  # \u202e\u2066",
    "decorators": "@x\n" * 50_000 + "def f(): pass",
    "star expressions": "f(" + "*x, " * 50_000 + ")",
    "match": "match x:\n" + "    case [" * 1 + "[" * 90 + "]" * 90 + "]: pass\n",
}


@pytest.fixture(scope="module")
def box() -> Iterator[RuleBox]:
    with Zygote(LADDER[0], find_interpreter(""), ()) as zygote:
        opened = RuleBox(zygote)
        yield opened
        opened.close()


def budget() -> Budget:
    """What these looks may cost: a fifth of the usual, so that what never ends is over soon."""
    return Budget(LOOK_S / 5, LOOK_WALL_S)


def rules(*kinds: RuleKind, modules: tuple[str, ...] = ("bomb", "honest")) -> list[Rule]:
    return [Rule(kind=kind, text=kind.value, modules=modules) for kind in kinds]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if number % 3 == 0 else pytest.mark.acceptance)
        for number, name in enumerate(BOMBS)
    ],
)
def test_a_bomb_harms_nobody_else(box: RuleBox, name: str) -> None:
    """Whatever becomes of the bomb itself, the module beside it is looked at, and so is the next one."""
    files = {"bomb": ("bomb.py", BOMBS[name]), "honest": ("honest.py", RECURSIVE)}
    seen = box.look(files, rules(*KINDS), budget())
    assert "honest" not in {name for names in seen.too_complex for name in names}
    assert [place.message for place in seen.broken[0] if place.module == "honest"] == ["`f` calls itself"]
    again = box.look({"honest": ("honest.py", RECURSIVE)}, rules(*KINDS), budget())
    assert [place.message for place in again.broken[0]] == ["`f` calls itself"]


@pytest.mark.parametrize(
    "hidden",
    [
        RECURSIVE + "x = " + "-" * 100_000 + "1\n",
        RECURSIVE + "x = " + "1+" * 50_000 + "1\n",
        RECURSIVE + "if 1: pass\n" + "elif 1: pass\n" * 20_000,
        RECURSIVE + "x" + ".x" * 100_000,
    ],
)
def test_a_source_too_deep_to_look_at_keeps_no_rule(box: RuleBox, hidden: str) -> None:
    seen = box.look({"bomb": ("bomb.py", hidden)}, rules(*KINDS, modules=("bomb",)), budget())
    assert seen.too_complex == (("bomb",),) * len(KINDS)


def test_a_slow_source_ends_with_its_time_and_keeps_no_rule(box: RuleBox) -> None:
    slow = "".join(f"x = f{n}(x)\n" for n in range(40_000))
    seen = box.look({"bomb": ("bomb.py", slow)}, rules(RuleKind.NO_GLOBALS, modules=("bomb",)), budget())
    assert seen.too_complex == (("bomb",),) or seen.broken[0]


def test_a_pattern_of_the_spec_that_is_slow_on_a_header_counts_as_too_complex(box: RuleBox) -> None:
    rule = Rule(kind=RuleKind.HEADER, text="header", modules=("bomb",), fields=(("name", r"(a+)+$"),))
    seen = box.look({"bomb": ("bomb.py", "# " + "a" * 60 + "!\n")}, [rule], budget())
    assert seen.too_complex == (("bomb",),)


def test_nothing_of_the_source_is_run(box: RuleBox) -> None:
    source = "raise SystemExit\nimport os\nos._exit(1)\n@print\nclass A(metaclass=exit()): x = exit()\n"
    seen = box.look({"bomb": ("bomb.py", source)}, rules(*KINDS, modules=("bomb",)), budget())
    assert seen.too_complex == ((), (), ())
    assert not seen.invalid


def test_a_module_named_like_ours_takes_the_place_of_none(box: RuleBox) -> None:
    source = {name: (f"{name}.py", RECURSIVE) for name in ("grader", "ast", "check", "program")}
    seen = box.look(source, rules(RuleKind.NO_RECURSION, modules=tuple(source)), budget())
    assert {place.module for place in seen.broken[0]} == set(source)


RUNNER = partial(run_tool, purse=UNBILLED)
LINTER = Rule(kind=RuleKind.LINTER, text="linter", modules=("bomb",), select=("F", "E"))


@pytest.mark.parametrize("name", first_of(BOMBS, 9))
def test_the_tools_end_on_every_bomb(name: str) -> None:
    with suppress(NoSight):
        assert len(lint(LINTER, "bomb", "bomb.py", BOMBS[name], RUNNER)) <= 50
    with suppress(NoSight):
        assert len(search("while $X: $$$BODY", "bomb", BOMBS[name], RUNNER)) <= 50


def test_a_tool_that_overflows_its_stack_has_not_seen_anything() -> None:
    with pytest.raises(NoSight):
        lint(LINTER, "bomb", "bomb.py", "x = " + "-" * 1_000_000 + "1", RUNNER)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("while True: pass", "signal"),
        ("x = bytearray(8 << 30)", "exit"),
        ("import os; os.write(os.open('written', os.O_CREAT | os.O_WRONLY), b'x')", "exit"),
        ("print('x' * (64 << 20))", "any"),
    ],
)
def test_a_tool_has_limits(code: str, status: str, tmp_path: Path) -> None:
    program = f"import os\nos.chdir({str(tmp_path)!r})\ninput()\n{code}"
    run = run_tool([sys.executable, "-I", "-S", "-c", program], "go\n", ToolLimits(cpu_s=1), purse=UNBILLED)
    assert len(run.stdout) < 16 << 20
    if status != "any":
        assert (run.status < 0) == (status == "signal")
        assert run.status != 0


def test_a_tool_gets_nothing_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_SECRET", "hush")
    code = "import os; print(sorted(os.environ), os.getcwd(), input())"
    run = run_tool([sys.executable, "-I", "-S", "-c", code], "text\n", purse=UNBILLED)
    assert "GRADER_SECRET" not in run.stdout
    assert run.stdout.endswith(" / text\n")


def test_a_tool_that_does_not_read_its_input_does_not_block() -> None:
    assert run_tool([sys.executable, "-I", "-S", "-c", "pass"], "x" * 1_000_000, purse=UNBILLED).status == 0


def test_a_tool_that_is_given_no_core_is_our_own_fault() -> None:
    """It would count as a source that is too complex, and so as a broken rule."""
    with pytest.raises(SandboxFailure, match="did not end within 1 s"):
        run_tool(
            [sys.executable, "-I", "-S", "-c", "import time; time.sleep(99)"],
            "",
            ToolLimits(wall_s=1),
            purse=UNBILLED,
        )


def test_a_tool_that_says_too_much_has_not_seen_anything() -> None:
    code = "import os, time\nwhile True: os.write(1, b'x' * 65536)"
    assert run_tool([sys.executable, "-I", "-S", "-c", code], "", purse=UNBILLED).status < 0
