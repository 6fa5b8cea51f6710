"""Harnesses and files of calls against hostile submissions: nothing reaches another case or the trusted side.

What student code does to a harness in its own process is its own word, as any answer is.
"""

from pathlib import Path

import pytest
from support.marking import cases, mark, question, verdicts
from support.sieges import LIMITS, Arena, Zygotes, combinations, see_an_answer, value

from grader.model.case import Call, Calls, Folder
from grader.model.outcome import Ending, Outcome
from grader.model.own_code import Harness
from grader.sandbox.box import Box, Job, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import Driver
from grader.sandbox.evidence import outcome_of
from grader.sandbox.request import encode_request
from grader.wire.encoder import encode_plain
from grader.wire.messages import Report

HARNESS = """
import work


def told():
    return work.f()


def secret():
    return "of the harness"
"""

TAKES_OVER = """
import sys


def f():
    harness = sys.modules["doubles"]
    harness.told = harness.secret = lambda: 1
    sys.modules["doubles"] = None
    return 1
"""


def harnessed(tmp_path: Path, *lines: str, work: str) -> dict[str, str]:
    (tmp_path / "doubles.py").write_text(HARNESS)
    (tmp_path / "others.py").write_text(HARNESS.replace("of the harness", "of the other"))
    spec = question(*lines)
    return verdicts(mark(tmp_path, spec, work))


def test_what_a_case_does_to_the_harness_ends_with_the_case(tmp_path: Path) -> None:
    one, other = "harness: doubles.py", "harness: others.py"
    found = harnessed(
        tmp_path,
        f"{{call: told(), returns: 1, {one}}}",
        f"{{call: secret(), returns: '\"of the harness\"', {one}}}",
        f"{{call: secret(), returns: 1, {one}}}",
        f"{{call: secret(), returns: '\"of the other\"', {other}}}",
        "{call: f(), returns: 1}",
        work=TAKES_OVER,
    )
    # Without a harness in its process, the last one raises.
    assert list(found.values()) == ["accepted", "accepted", "wrong-answer", "accepted", "exception"]


def test_a_process_has_the_harness_of_its_own_cases_alone(tmp_path: Path) -> None:
    work = """
import sys


def f():
    texts = [finder._texts for finder in sys.meta_path if hasattr(finder, "_texts")]
    return sorted(name for each in texts for name in each)
"""
    found = harnessed(
        tmp_path,
        "{call: f(), returns: [\"'doubles'\", \"'work'\"], harness: doubles.py}",
        "{call: f(), returns: [\"'others'\", \"'work'\"], harness: others.py, visibility: hidden}",
        "{call: f(), returns: [\"'work'\"]}",
        work=work,
    )
    assert set(found.values()) == {"accepted"}


@pytest.mark.parametrize(
    "at_import",
    [
        "sys.modules['doubles'] = None",
        "sys.modules['doubles'] = type(sys)('doubles')",
        "class Odd:\n    def __getattr__(self, name): raise SystemExit(0)\nsys.modules['doubles'] = Odd()",
        "class Odd:\n    __slots__ = ()\nsys.modules['doubles'] = Odd()",
        "import importlib; importlib.import_module = lambda name: 1",
        "sys.meta_path.clear()",
        "sys.modules['doubles'] = sys.modules[__name__]",
    ],
)
def test_a_module_that_is_in_the_way_of_the_harness_gains_nothing(tmp_path: Path, at_import: str) -> None:
    (tmp_path / "doubles.py").write_text(HARNESS)
    work = f"import sys\n{at_import}\n\n\ndef f():\n    return 2\n"
    lines = ("{call: told(), returns: 1, harness: doubles.py}", "{call: f(), returns: 2}")
    found = cases(mark(tmp_path, question(*lines), work))
    assert found["1.1"].verdict in ("missing", "load-error", "wrong-answer", "crashed", "exception")
    assert found["1.1"].score == 0
    # A student's own mistake stays in the cases that load the harness.
    assert found["1.2"].verdict == "accepted"


# -- files ---------------------------------------------------------------------------------------------

LITTER = {
    "a link": 'os.symlink("/etc/passwd", "out.txt")',
    "a link to a file of its own": 'open("own", "w").close(); os.symlink("own", "out.txt")',
    "a pipe": 'os.mkfifo("out.txt")',
    "a folder": 'os.mkdir("out.txt")',
    "a socket": 'import socket; socket.socketpair(); os.mknod("out.txt", 0o140600)',
    "nothing": "pass",
    "a name with a line end": 'open("out.txt\\n", "w").write("right")',
    "another folder": 'os.mkdir("sub"); os.chdir("sub"); open("out.txt", "w").write("right")',
    "a file without rights": 'os.close(os.open("out.txt", os.O_CREAT, 0))',
}


def asked(folder: Folder, answer_b: int = LIMITS.answer_b) -> Job:
    request = encode_request([Call("f", ())], LIMITS, folder=folder)
    return Job(request, LIMITS)


@pytest.fixture
def arena_with_folder(zygotes: Zygotes) -> Arena:
    return zygotes.arena(Driver.NAMESPACES, "snapshot")


def left(arena: Arena, body: str, folder: Folder) -> Outcome:
    source = f"import os\n\n\ndef f():\n    {body}\n    return 1\n"
    return arena.besiege(source, asked(folder)).outcome


@pytest.mark.parametrize("how", LITTER)
def test_only_regular_files_of_the_very_name_are_left(arena_with_folder: Arena, how: str) -> None:
    outcome = left(arena_with_folder, LITTER[how], Folder(keeps=("out.txt",)))
    if how == "a file without rights":
        assert outcome.files in ({}, {"out.txt": b""})
    else:
        assert outcome.files == {}, outcome


def test_a_hundred_thousand_files_meet_the_bound_of_the_folder(arena_with_folder: Arena) -> None:
    body = 'for n in range(100_000): os.close(os.open(f"{n}\\n", os.O_CREAT))'
    siege = left(arena_with_folder, body, Folder((("words.txt", b"x"),), ("words.txt",)))
    assert value_or_raised(siege) == "OSError"
    assert siege.files == {"words.txt": b"x"}


def value_or_raised(outcome: Outcome) -> object:
    answer = outcome.answers[0]
    return getattr(answer, "value", None) or answer.raised.type_name  # type: ignore[union-attr]


def test_a_huge_file_is_too_large_an_answer(arena_with_folder: Arena) -> None:
    body = 'open("out.txt", "wb").write(bytes(8 << 20))'
    outcome = left(arena_with_folder, body, Folder(keeps=("out.txt",)))
    assert (outcome.ending, outcome.files) == (Ending.ANSWER_SIZE, None)
    sparse = 'os.truncate(os.open("out.txt", os.O_CREAT | os.O_RDWR), 16 << 20)'
    assert left(arena_with_folder, sparse, Folder(keeps=("out.txt",))).ending is Ending.ANSWER_SIZE


def test_an_import_in_the_way_of_the_files_harms_its_own_case_alone(arena_with_folder: Arena) -> None:
    source = 'import os\nos.mkdir("words.txt")\n\n\ndef f():\n    return 1\n'
    siege = arena_with_folder.besiege(source, asked(Folder((("words.txt", b"x"),), ("words.txt",))))
    assert siege.outcome.ending is Ending.EXITED
    assert siege.outcome.files is None


FORGED = (
    [("returned", 1), ("left", {"out.txt": b"right"}), ("left", {})],
    [("left", {"out.txt": b"right"}), ("returned", 1)],
    [("returned", 1), ("left", {"out.txt": "a text"})],
    [("returned", 1), ("left", {1: b"right"})],
    [("returned", 1), ("left", [])],
    [("returned", 1), ("left", {"out.txt": b"right"}, None)],
)


@pytest.mark.parametrize("number", range(len(FORGED)))
def test_a_forged_answer_about_files_is_noise(number: int) -> None:
    report = Report("answered", 0.0, 0.0, 0, "", encode_plain(FORGED[number]), b"", b"", "", ())
    outcome = outcome_of(report)
    assert (outcome.ending, outcome.answers, outcome.files) == (Ending.PROTOCOL, (), None)


def test_files_of_one_case_are_none_of_the_next(arena_with_folder: Arena) -> None:
    source = 'import os\n\n\ndef f():\n    open("own", "w").close()\n    return sorted(os.listdir())\n'
    folders = (Folder((("a", b"1"),), ("own",)), Folder((("b", b"2"),), ("a",)))
    siege = arena_with_folder.besiege(source, *map(asked, folders))
    assert [value(outcome) for outcome in siege.outcomes] == [["a", "own"], ["b", "own"]]
    assert [outcome.files for outcome in siege.outcomes] == [{"own": b""}, {}]


def test_a_harness_that_ends_or_hangs_is_met_by_the_limits_of_the_import(arena_with_folder: Arena) -> None:
    for text, ending in (("import os; os._exit(0)", Ending.EXITED), ("raise SystemExit", Ending.LOAD_FAILED)):
        program = Program("work", {"work": "def f():\n    return 1\n"}).beside(
            Calls(harness=Harness("doubles", text))
        )
        with Box(arena_with_folder.zygote, program, 1 << 28, LIMITS, LIMITS.time_s, purse=UNBILLED) as box:
            outcome, _ = box.load()
        assert outcome.ending is ending
    with arena_with_folder.box("") as box:
        box.load()
        see_an_answer(box)


@pytest.fixture(params=[*combinations(), (Driver.PORTABLE, "fresh")], ids="-".join)
def any_arena(request: pytest.FixtureRequest, zygotes: Zygotes) -> Arena:
    return zygotes.arena(*request.param)


def test_every_driver_runs_a_harness_and_forgets_what_a_case_did(any_arena: Arena) -> None:
    text = "import work\nseen = []\n\n\ndef told(x):\n    seen.append(x)\n    return [*seen, work.f(x)]\n"
    program = Program("work", {"work": "def f(x):\n    return -x\n"}).beside(
        Calls(harness=Harness("doubles", text))
    )
    calls = [Call("told", (1,)), Call("f", (2,)), Call("told", (3,)), Call("none", ())]
    with Box(any_arena.zygote, program, 1 << 28, LIMITS, LIMITS.time_s, purse=UNBILLED) as box:
        assert box.load()[0].ending is Ending.ANSWERED
        outcomes = [box.run([Job(encode_request([call], LIMITS), LIMITS)])[0] for call in calls]
    assert [value(outcome) for outcome in outcomes[:3]] == [[1, -1], -2, [3, -3]]
    assert (outcomes[3].ending, outcomes[3].detail) == (Ending.MISSING, "none")
    assert outcomes[3].present == ("f",)
