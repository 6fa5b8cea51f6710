"""Modules that raise while they are imported and stay as they were: the import gives a student nothing more."""
# ruff: noqa: E501  # An attack stands on one line.

from pathlib import Path

import pytest
from support.marking import cases, mark, verdicts
from support.sieges import LIMITS, MEMORY_B, Arena, job, value

from grader.judge.messages import STOPPED
from grader.model.outcome import Ending, Outcome
from grader.sandbox.box import Box, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.evidence import import_outcome_of
from grader.wire.encoder import encode_plain, list_of
from grader.wire.messages import STOPPED_MAX, Report

SPEC = """
import: keep
questions:
  - id: "1"
    title: First
    marks: 1
    award: each
    cases:
      - {call: f(2), returns: 4}
      - {call: f(3), returns: 6, visibility: hidden}
"""
F = "def f(x):\n    return x * 2\n\n\n"
HOSTILE = {
    "a message that raises": "class E(Exception):\n    def __str__(self):\n        raise self\nraise E\n",
    "a message that is no text": "class E(Exception):\n    def __str__(self):\n        return 5\nraise E\n",
    "a long message": "raise ValueError('x' * 10**7)\n",
    "a class that is odd": "class M(type):\n    __name__ = 5\n    __mro__ = ()\nclass E(Exception, metaclass=M):\n    pass\nraise E\n",
    "a traceback of its own": "class E(Exception):\n    __traceback__ = 5\nraise E\n",
    "a name of markup": "raise type('<script>', (Exception,), {})('\\x1b[2J</p>')\n",
    "a name with halves of pairs": "raise ValueError('\\udc00')\n",
    "recursion": "def g():\n    g()\ng()\n",
    "a group": "raise ExceptionGroup('a', [ValueError('b')])\n",
    "a loop of causes": "e = ValueError()\ne.__cause__ = e\nraise e\n",
    "a limit of recursion": "import sys\nsys.setrecursionlimit(60)\nraise ValueError\n",
    "names that are no text": "class K:\n    def __hash__(self):\n        return 1\n    def __eq__(self, other):\n        raise ValueError\nglobals()[K()] = 1\nraise ValueError\n",
}  # fmt: skip
LIES = {
    "a module of that name": "import sys, types\nm = types.ModuleType('work')\nm.f = f\nsys.modules['work'] = m\nraise ValueError\n",
    "no module of that name": "import sys\ndel sys.modules['work']\nraise ValueError\n",
    "no modules at all": "import sys\nsys.modules.clear()\nraise ValueError\n",
    "the loader's own list": "__loader__.failed.clear()\nraise ValueError\n",
    "a loader that keeps more": "__loader__._keeps = 5\n__loader__.failed = None\nraise ValueError\n",
}  # fmt: skip


@pytest.mark.parametrize("attack", HOSTILE)
def test_a_hostile_exception_costs_nobody_anything(attack: str, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": F + HOSTILE[attack]})
    found = set(verdicts(result).values())
    assert found in ({"accepted"}, {"load-error"}), [case.message for case in result.cases]
    assert all(len(note) < 1000 and "\x1b" not in note for note in result.notes)
    assert (found == {"accepted"}) == any(note.endswith(STOPPED) for note in result.notes)


@pytest.mark.parametrize("attack", LIES)
def test_what_a_module_does_to_the_import_is_its_own_answer(attack: str, tmp_path: Path) -> None:
    wrong = F.replace("x * 2", "x * 3")
    result = mark(tmp_path, SPEC, {"work": wrong + LIES[attack]})
    assert "accepted" not in verdicts(result).values()


@pytest.mark.acceptance
@pytest.mark.parametrize(
    ("end", "message"),
    [
        ("import os\nos._exit(0)\n", "its import ended the process"),
        ("while True:\n    pass\n", "it was still being imported"),
        (
            "class E(Exception):\n    def __str__(self):\n        while True:\n            pass\nraise E\n",
            "it was",
        ),
        (
            "try:\n    raise ValueError\nexcept ValueError:\n    import os\n    os._exit(3)\n",
            "ended the process",
        ),
    ],
)
def test_what_ends_or_stops_the_import_is_no_part_of_a_module(end: str, message: str, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, {"work": F + end})
    assert set(verdicts(result).values()) == {"load-error"}
    assert message in cases(result)["1.1"].message
    assert result.notes == ()


def test_the_message_of_a_later_import_gives_no_hidden_case_away(tmp_path: Path) -> None:
    spec = SPEC.replace("visibility: hidden}", "visibility: hidden, limits: {memory: 256MiB}}")
    spec += "      - {call: f(4), returns: 8, visibility: hidden, limits: {memory: 300MiB}}\n"
    work = "import resource\n\n\n" + F + "raise ValueError(resource.getrlimit(resource.RLIMIT_AS)[0])\n"
    result = mark(tmp_path, spec, {"work": work})
    assert set(verdicts(result).values()) == {"accepted"}
    # One note of the public box and one of the first hidden box, which no hidden case had met.
    assert len(result.notes) == 2, result.notes


def loads(arena: Arena, source: str, *, keeps: bool = True) -> tuple[Outcome, list[Outcome]]:
    program = Program("work", {"work": source}, keeps=("work",) if keeps else ())
    with Box(arena.zygote, program, MEMORY_B, LIMITS, LIMITS.time_s, purse=UNBILLED) as box:
        loaded, _ = box.load()
        return loaded, box.run([job("f", 2)]) if loaded.ending is Ending.ANSWERED else []


def test_every_driver_and_mode_keeps_the_same(mode_arena: Arena) -> None:
    loaded, (outcome,) = loads(mode_arena, F + "raise ValueError('no')\n")
    assert loaded.ending is Ending.ANSWERED
    assert value(outcome) == 4
    refused, _ = loads(mode_arena, F + "raise ValueError('no')\n", keeps=False)
    assert refused.ending is Ending.LOAD_FAILED


def test_a_box_may_claim_so_much_and_no_more() -> None:
    raised = encode_plain(("raised", "E", "m", ["E"], []))
    ok = encode_plain(("ok",))
    assert claimed(ok, *[raised] * STOPPED_MAX) is Ending.ANSWERED
    for claim in (
        [ok, *[raised] * (STOPPED_MAX + 1)],
        [ok, ok],
        [raised, raised],
        [ok, encode_plain(("x",))],
    ):
        assert claimed(*claim) is Ending.PROTOCOL


def claimed(*answers: bytes) -> Ending:
    report = Report("answered", 0.0, 0.0, 0, "", list_of([*answers]), b"", b"", "", ())
    return import_outcome_of(report).ending


def test_a_claim_that_nobody_asked_for_is_no_note(tmp_path: Path) -> None:
    lie = (
        "import sys\nframe = sys._getframe()\n"
        "while frame and 'files' not in frame.f_locals:\n    frame = frame.f_back\n"
        "if frame:\n    type(frame.f_locals['files']).stopped = lambda self: [ValueError('me')]\n"
    )
    found = mark(tmp_path, SPEC, {"work": F + lie}).notes
    assert found == (f"a module stopped with ValueError: me; {STOPPED}",), "a student's own word"
    (tmp_path / "sample.yaml").unlink()
    result = mark(tmp_path, SPEC.replace("import: keep\n", ""), {"work": F + lie})
    assert set(verdicts(result).values()) == {"accepted"}
    assert result.notes == ()
