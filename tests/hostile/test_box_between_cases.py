"""What passes from one case of a submission to its next, and what never does.

Nothing passes from one submission to another.  Within one, each case runs in a fork of the import, or
in an import of its own, so that names, objects and files do not pass; but a student who wants to can
pass bytes, by whatever both processes hold: shared memory, a pipe made at import, the box itself.

Nothing is gained by it: a case never learns its verdict or an expected answer, and time that one case
saves another had to spend.  What it can carry is the *inputs* of one case to another's output; the
inputs of a case that students must not see are hidden from them only as long as the output of cases
they do see is looked at.
"""

from collections.abc import Iterable, Sequence

import pytest
from support.sieges import Arena, Zygotes, job, value

from grader.sandbox.box import Job
from grader.sandbox.driver import Driver

WAYS = {
    "a global name": ("KEPT = []", "KEPT.append(x)", "return KEPT"),
    "an attribute of a module": ("import math", "math.kept = x", "return getattr(math, 'kept', None)"),
    "a built-in": ("import builtins", "builtins.kept = x", "return getattr(builtins, 'kept', None)"),
    "the cache of imports": ("import sys", "sys.modules['kept'] = x", "return sys.modules.get('kept')"),
    "an environment variable": ("import os", "os.environ['KEPT'] = x", "return os.environ.get('KEPT')"),
    "the current folder": ("import os", "os.chdir('/usr/lib')", "return os.getcwd() == '/usr/lib'"),
    "a limit": ("import sys", "sys.setrecursionlimit(555)", "return sys.getrecursionlimit() == 555"),
    "a signal's handler": (
        "import signal",
        "signal.signal(10, lambda *_: None)",
        "return signal.getsignal(10) is not signal.SIG_DFL",
    ),
    "random numbers": ("import random", "random.seed(x)", "return False"),
    "a descriptor": (
        "import os",
        "os.dup2(1, 40)",
        "try: return os.fstat(40) and True\n    except OSError: return None",
    ),
    "a file": (
        "import os",
        "try: open('kept', 'w').write(x)\n    except OSError: pass",
        "try: return open('kept').read()\n    except OSError: return None",
    ),
    "shared memory": ("import mmap\nM = mmap.mmap(-1, 99)", "M[:2] = b'ok'", "return M[:2] == b'ok'"),
    "a pipe": (
        "import os\nA, B = os.pipe()\nos.set_blocking(A, False)",
        "os.write(B, b'ok')",
        "try: return os.read(A, 2)\n    except OSError: return None",
    ),
    "a descriptor's position": (
        "import os\nF = os.open('/dev/zero', 0)\nG = os.eventfd(0, os.EFD_NONBLOCK)",
        "os.eventfd_write(G, 7)",
        "try: return os.eventfd_read(G)\n    except OSError: return None",
    ),
}
"""By way: what happens at import, in one case, and in the next one, which says whether it passed."""

PASSING = {
    ("namespaces", "snapshot"): {"shared memory", "a pipe", "a descriptor's position"},
    ("namespaces", "fresh"): set(),
    ("landlock", "snapshot"): {"shared memory", "a pipe", "a descriptor's position"},
    ("landlock", "fresh"): set(),
}
"""All that passes, and where.  `seccomp` has no walls around files."""


def module(ways: Iterable[str]) -> str:
    parts = []
    for number, (at_import, leave, find) in enumerate(WAYS[way] for way in ways):
        parts.append(
            f"{at_import}\n\ndef leave_{number}(x):\n    {leave}\n\ndef find_{number}():\n    {find}\n"
        )
    return "\n".join(parts)


def leaving(ways: Sequence[str]) -> list[Job]:
    return [job(f"leave_{number}", "ok") for number in range(len(ways))]


def finding(ways: Sequence[str]) -> list[Job]:
    return [job(f"find_{number}") for number in range(len(ways))]


@pytest.mark.parametrize(("driver", "mode"), PASSING)
def test_what_passes_between_cases(zygotes: Zygotes, driver: str, mode: str) -> None:
    ways = list(WAYS)
    siege = zygotes.arena(Driver(driver), mode).besiege(module(ways), *leaving(ways), *finding(ways))
    found = zip(ways, siege.outcomes[len(ways) :], strict=True)
    assert {way for way, outcome in found if value(outcome)} == PASSING[driver, mode]


def test_nothing_passes_between_submissions(arena: Arena) -> None:
    # A file does where nothing is promised about files.
    ways = [way for way in WAYS if way != "a file" or arena.driver is not Driver.SECCOMP]
    arena.besiege(module(ways), *leaving(ways))
    for way, outcome in zip(ways, arena.besiege(module(ways), *finding(ways)).outcomes, strict=True):
        assert not value(outcome), way


def test_no_other_submissions_code_is_in_memory(arena: Arena) -> None:
    word = "a-word-of-another-submission"
    arena.besiege(f"# {word}\nWORD = {word!r}\ndef attack():\n    return WORD\n", job("attack"))
    source = """
import gc

def attack(parts):
    word = "".join(parts)
    found = [type(thing).__name__ for thing in gc.get_objects() if word in repr(thing)[:2000]]
    return found, word
"""
    found: object = value(
        arena.besiege(source, job("attack", ["a-word", "-of-another", "-submission"])).outcome
    )
    assert isinstance(found, tuple)
    assert set(found[0]) <= {"frame", "dict", "list", "tuple", "builtin_function_or_method", "cell"}
    assert "module" not in found[0]


SEEDED = "import random\n\ndef draw(x):\n    return [random.random() for _ in range(3)]\n"


def test_random_numbers_are_the_same_for_each_case(arena: Arena) -> None:
    outcomes = arena.besiege(SEEDED, job("draw", 1), job("draw", 2)).outcomes
    assert value(outcomes[0]) == value(outcomes[1])
