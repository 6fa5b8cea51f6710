"""A case without the grader: code whose values are the spec's, and a line that a shell runs as it is."""

import subprocess
import sys
from datetime import date
from fractions import Fraction
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.case import Bound, Call, Calls, Combine, ProgramRun, Step, Watched
from grader.model.values import EnumMember, Opaque, Record
from grader.reports.escape import plain
from grader.reports.standalone import (
    INPUT,
    NotStandalone,
    Standalone,
    of_calls,
    of_program,
    shell_line,
    source_of,
    write_to,
)

ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(st.characters()), st.binary()
)
VALUES = st.recursive(
    ATOMS | st.frozensets(ATOMS),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(VALUES)
def test_the_code_of_a_value_is_that_value(value) -> None:
    code = source_of(value, "m")
    assert code.isascii()
    assert eval(code) == value


def test_records_are_built_by_their_classes() -> None:
    pawn = Record("Pawn", (("pos", (1, 2)), ("colour", EnumMember("Colour", "Red"))))
    assert source_of([pawn], "shogun") == "[shogun.Pawn((1, 2), shogun.Colour.Red)]"
    assert source_of({float("inf"), 1.5}, "m") == "{1.5, float('inf')}"
    assert source_of(10**5000, "m").startswith("0x")
    with pytest.raises(NotStandalone):
        source_of([Opaque("Odd", "<Odd>")], "m")


def case(*calls: Call, combine: Combine | None = None) -> Calls:
    return Calls(steps=tuple(map(Step, calls)), combine=combine)


TEXTS = {"m.py": "class A:\n    def __init__(self, n):\n        self.n = n\ndef f(g, x):\n    return g(x)\n"}


def test_calls_become_statements() -> None:
    scene = case(
        Call("A", (5,), bind="m"), Call("m.n", (), reads=True), Call("f", (Bound("m"),), (("x", 1),))
    )
    statements = of_calls(scene, "m", TEXTS, 3).statements
    # An object may have the name of the module.
    assert statements == ("import m as m_", "m = m_.A(5)", "print(repr(m.n))", "print(repr(m_.f(m, x=1)))")
    watched = case(Call("f", (Watched("g", "lambda x: x * 2"), 4)))
    seeded = of_calls(watched, "m", {"m.py": "import random"}, 3).statements
    assert seeded[1:] == ("import random", "random.seed(3)", "print(repr(m.f((lambda x: x * 2), 4)))")
    both = case(Call("f", (1, 2)), Call("f", (3, 4)), combine=Combine.SUM)
    assert of_calls(both, "m", TEXTS, 0).statements[1] == "print(sum([m.f(1, 2), m.f(3, 4)]))"


def test_what_does_not_fit_a_line_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotStandalone, match="too long"):
        shell_line(Standalone({}, statements=("print('" + "x" * 3000 + "')",)), tmp_path, "python3")
    with pytest.raises(NotStandalone, match="needs files"):
        shell_line(Standalone({}, {"a.txt": b"1"}, program="m.py"), tmp_path, "python3")
    with pytest.raises(NotStandalone, match="input"):
        shell_line(Standalone({}, program="m.py", stdin="no end"), tmp_path, "python3")


ODD_NAMES = [
    "plain",
    "with blanks",
    "it's",
    '"quoted"',
    "$(touch hacked)",
    "`touch hacked`",
    "; touch hacked; ",
    "-n",
    "new\nline",
    "\x1b[31mred\x1b]0;title\x07",
    "r\u202eevil",
    "back\\slash\\n",
    "!history %s %d",
    "é ünï",
    "::error::",
    "##[error]x",
    "#comment",
    "~",
    "a&b|c>d<e*?[f]{g,h}",
    "not utf8 \udcff\udcfe",
]


@pytest.mark.parametrize("is_written", [False, True])
@pytest.mark.parametrize("name", ODD_NAMES)
def test_the_line_does_the_same_in_a_folder_of_any_name(tmp_path: Path, name: str, is_written: bool) -> None:
    folder = tmp_path / name
    text = 'def f(text):\n    return text + "!"\n'
    value = f"{name} '\"$HOME`id`\\"
    alone = of_calls(case(Call("f", (value,))), "m", {"m.py": text}, 0)
    assert printed(tmp_path, folder, alone, is_written) == repr(value + "!").encode(
        "utf-8", "backslashreplace"
    )


@pytest.mark.parametrize("is_written", [False, True])
@pytest.mark.parametrize("seeded", ["", "import random\n"])
@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_program_gets_its_arguments_and_input(
    tmp_path: Path, name: str, is_written: bool, seeded: str
) -> None:
    text = seeded + "import sys\nprint(ascii((sys.argv[1:], input(), sys.stdin.read())))\n"
    run = ProgramRun(module="main", arguments=("a b", "it's", "$x", "-v"), stdin="-e 'one' %s\\n\n$two\n")
    alone = of_program(run, {"main.py": text}, "main.py", 1, None)
    found = printed(tmp_path, tmp_path / name, alone, is_written)
    assert found == ascii((list(run.arguments), "-e 'one' %s\\n", "$two\n")).encode()


def test_input_without_end_and_files_are_written(tmp_path: Path) -> None:
    alone = Standalone(
        {"main.py": "print(input() + open('in/a.txt').read())"}, {"in/a.txt": b"B"}, (), "main.py"
    )
    alone = Standalone(alone.modules, alone.files, (), "main.py", (), "A")
    assert printed(tmp_path, tmp_path / "new", alone, True) == b"AB"
    assert (tmp_path / "new" / INPUT).read_bytes() == b"A"


def printed(here: Path, folder: Path, alone: Standalone, is_written: bool) -> bytes:
    """Return what the line prints in a shell; the line must be one that can be shown and pasted."""
    if is_written:
        write_to(folder, alone)
    else:
        folder.mkdir(parents=True)
        for name, text in alone.modules.items():
            (folder / name).write_text(text)
    line = shell_line(alone, folder, sys.executable, is_written=is_written)
    assert line.isprintable()
    assert plain(line) == line
    done = subprocess.run(["sh", "-c", line], capture_output=True, cwd=here)
    assert not list(here.glob("**/hacked"))
    assert done.returncode == 0, (line, done.stderr)
    return done.stdout.rstrip(b"\n")


def test_values_of_the_library_bring_their_imports() -> None:
    call = Call("f", (date(2024, 2, 29), Fraction(1, 3), PurePosixPath("é")), bind="kept", brings=True)
    statements = of_calls(Calls(steps=(Step(call),)), "work", {"work.py": ""}, 0).statements
    assert statements == (
        "import work",
        "from datetime import date",
        "from fractions import Fraction",
        "from pathlib import Path",
        "kept = work.f(date(2024, 2, 29), Fraction(1, 3), Path('\\xe9')); print(repr(kept))",
    )
