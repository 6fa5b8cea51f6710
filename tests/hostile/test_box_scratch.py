"""The scratch folder between cases: each finds what its import wrote, and nothing of another case.

Only `namespaces` has such a folder.  What is tried: leaving content in every form, hiding it from whoever
looks, and being in the way of whoever clears it.
"""

import time

import pytest
from support.memo import MEMO
from support.sieges import MODES, SPINS, Arena, Zygotes, indented, job, value

from grader.model.outcome import Ending
from grader.model.values import Value
from grader.sandbox.driver import LADDER, WALLS

WITH_SCRATCH = [driver for driver in LADDER if WALLS[driver].scratch_b]

LEFT = """

def left():
    import os
    found = []
    for folder, folders, files in os.walk(os.environ.get("TMPDIR", "."), onerror=print):
        found += [os.path.join(folder, name) for name in folders + files]
    system = os.statvfs(".")
    return [found, system.f_files - system.f_ffree, system.f_blocks - system.f_bfree, os.listdir("/tmp")]

def last_change():
    import os
    found = os.stat("/box/work")
    return found.st_mtime_ns, found.st_ctime_ns
"""
EMPTY: Value = [[], 1, 0, []]
"""What `left` finds in a folder in which nothing was ever written: the root takes an inode."""


@pytest.fixture(params=[(driver, mode) for driver in WITH_SCRATCH for mode in MODES], ids="-".join)
def scratch_arena(request: pytest.FixtureRequest, zygotes: Zygotes) -> Arena:
    """Every driver with a scratch folder, in the modes for students."""
    return zygotes.arena(*request.param)


def test_an_answer_does_not_depend_on_the_cases_before(scratch_arena: Arena) -> None:
    siege = scratch_arena.besiege(MEMO, *(job("f", n) for n in (1, 2, 3)))
    assert [value(outcome) for outcome in siege.outcomes] == ["", "", ""]


def test_the_calls_of_one_case_share_the_folder(scratch_arena: Arena) -> None:
    for _ in range(2):
        answers = scratch_arena.besiege(MEMO, job("f", 1), job("f", 2, times=3)).outcomes[1].answers
        assert [answer.value for answer in answers] == ["", "2;", "2;2;"]  # type: ignore[union-attr]


WRITTEN_AT_IMPORT = """
import os
open("table.txt", "w").write("import;")
os.mkdir("made")
KEPT = open("kept.txt", "a+")
NAMELESS = os.open(".", os.O_TMPFILE | os.O_RDWR)

def f(n):
    with open("table.txt", "a+") as file:
        file.write(f"{n};")
        file.seek(0)
        table = file.read()
    open(f"made/{n}", "w").close()
    KEPT.write(f"{n};")
    KEPT.seek(0)
    os.write(NAMELESS, b"%d;" % n)
    return [table, os.listdir("made"), KEPT.read(), os.pread(NAMELESS, 99, 0)]
"""


def test_each_case_finds_what_the_import_wrote_and_no_more(scratch_arena: Arena) -> None:
    siege = scratch_arena.besiege(WRITTEN_AT_IMPORT, *(job("f", n) for n in (1, 2, 3)))
    assert siege.mode == scratch_arena.mode
    for n, outcome in enumerate(siege.outcomes, 1):
        assert value(outcome) == [f"import;{n};", [str(n)], f"{n};", f"{n};".encode()]


WAYS = {
    "a file": "open('a', 'w').write('x')",
    "an empty file": "open('a', 'w').close()",
    "a file that was removed": "open('a', 'w').close()\ntime.sleep(0.05)\nos.unlink('a')",
    "a hidden file": "open('.a', 'w').close()",
    "a name that is no text": "open(b'\\xff\\n\\x1b[2J', 'w').close()",
    "a link to the world": "os.symlink('/', 'a')\nos.symlink('/usr/lib', 'b')",
    "a link to itself": "os.symlink('a', 'a')\nos.symlink('.', 'b')",
    "a second name": "open('a', 'w').close()\nos.mkdir('b')\nos.rename('a', 'b/a')",
    "a folder without permissions": "os.mkdir('a', 0)",
    "a folder that cannot be listed": "os.mkdir('a', 0o300)\nopen('a/b', 'w').close()",
    "files without permissions": "os.umask(0o777)\nfor n in range(20):\n    open(str(n), 'w').close()",
    "a folder that denies itself": (
        "os.mkdir('a')\nfor path in ('a', '.', '/box/work'):\n    os.chmod(path, 0)"
    ),
    "a deep tree": (
        "for _ in range(1000):\n    os.mkdir('x' * 250)\n    os.chdir('x' * 250)\nopen('a', 'w').close()"
    ),
    "as many files as it takes": (
        "try:\n    for n in range(10 ** 6):\n        open(str(n), 'w').close()\nexcept OSError:\n    pass"
    ),
    "as many bytes as it takes": (
        "try:\n"
        "    with open('a', 'wb', 0) as file:\n"
        "        while file.write(b'x' * 65536): pass\n"
        "except OSError:\n"
        "    pass"
    ),
    "a file with holes": "os.truncate(os.open('a', os.O_CREAT | os.O_RDWR), 1 << 23)",
    "files that are kept open": "KEPT[:] = [open(str(n), 'w') for n in range(40)]",
    "a file without a name": "KEPT.append(os.open('.', os.O_TMPFILE | os.O_RDWR))\nos.write(KEPT[0], b'x')",
    "a mapped file": (
        "fd = os.open('a', os.O_CREAT | os.O_RDWR)\n"
        "os.truncate(fd, 1 << 20)\n"
        "KEPT.append(mmap.mmap(fd, 1 << 20))\n"
        "KEPT[0][:3] = b'xyz'\n"
        "os.unlink('a')"
    ),
    "a descriptor that is sent to the keeper": (
        "fd = os.open('a', os.O_CREAT | os.O_RDWR)\n"
        "array = __import__('array')\n"
        "pair = socket.socketpair()\n"
        "rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [fd]))]\n"
        "pair[0].sendmsg([b'x'], rights)\n"
        "rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [fd, pair[1].fileno()]))]\n"
        "pair[0].sendmsg([b'x'], rights)"
    ),
    "threads that go on writing": (
        "def write(n):\n"
        "    while True:\n"
        "        with suppress(OSError):\n"
        "            open(f'{n}', 'w').write('x')\n"
        "            open(f'{n}-{time.time_ns()}', 'w').close()\n"
        "for n in range(8):\n"
        "    threading.Thread(target=write, args=(n,), daemon=True).start()\n"
        "time.sleep(0.05)"
    ),
    "an end in the middle of it": "open('a', 'w').write('x')\nos._exit(3)",
    "a crash in the middle of it": "open('a', 'w').write('x')\nos.kill(os.getpid(), 11)",
    "a mount": (
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "open('a', 'w').close()\n"
        "libc.mount(b'none', b'/box/work', b'tmpfs', 0, None)"
    ),
    "another root": "open('a', 'w').close()\nwith suppress(OSError):\n    os.chroot('.')",
    "the folder itself": (
        "open('a', 'w').close()\n"
        "for call in (lambda: os.rmdir('/box/work'), lambda: os.rename('/box/work', '/box/other')):\n"
        "    with suppress(OSError):\n"
        "        call()"
    ),
}
HEAD = """
import ctypes, mmap, os, socket, threading, time
from contextlib import suppress
KEPT = []
"""


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_left_for_the_next_case(scratch_arena: Arena, way: str) -> None:
    source = f"{HEAD}\ndef attack():\n{indented(WAYS[way])}{LEFT}"
    siege = scratch_arena.besiege(source, job("left"), job("attack"), job("left"), job("attack"), job("left"))
    assert siege.outcomes[1].answers or siege.endings[1] is not Ending.ANSWERED
    found = [value(outcome) for outcome in siege.outcomes[::2]]
    assert found == [EMPTY] * 3


def test_a_case_that_meets_its_limit_while_it_writes_leaves_nothing(scratch_arena: Arena) -> None:
    body = "import itertools\nfor n in itertools.count():\n    with suppress(OSError):\n"
    body += "        open(str(n % 2000), 'w').write('x')"
    source = f"{HEAD}\ndef attack():\n{indented(body)}{LEFT}"
    siege = scratch_arena.besiege(source, job("attack", limits=SPINS), job("left"))
    assert siege.outcome.ending is Ending.TIME
    assert value(siege.outcomes[1]) == EMPTY


TAKEOVER = """
import os, sys
frame, forked = sys._getframe(), 0
while "fork_for_parent" not in frame.f_globals:
    frame = frame.f_back
fork = frame.f_globals["fork_for_parent"]

def ours():
    global forked
    forked += 1
    open(f"forked-{forked}", "w").close()
    return fork()

frame.f_globals["fork_for_parent"] = ours
"""


def test_an_importing_process_that_was_taken_over_does_not_outlive_what_it_writes(zygotes: Zygotes) -> None:
    for driver in WITH_SCRATCH:
        siege = zygotes.arena(driver, "snapshot").besiege(TAKEOVER + LEFT, *[job("left")] * 3, recovers=False)
        found = [value(outcome) for outcome in siege.outcomes]
        assert found == [[["/box/work/forked-1"], 2, 0, ["forked-1"]]] * 3


def test_a_folder_that_was_used_is_let_go_at_once(scratch_arena: Arena) -> None:
    """Whatever lies there: a case after a full folder of folders is no slower than one after a file."""
    source = f"{HEAD}\ndef attack():\n{indented(WAYS['as many files as it takes'])}{LEFT}"
    with scratch_arena.box(source) as box:
        box.load()
        took_s = []
        for _ in range(5):
            box.run([job("attack")])
            began_s = time.monotonic()
            (outcome,) = box.run([job("left")])
            took_s.append(time.monotonic() - began_s)
            assert value(outcome) == EMPTY
    assert min(took_s) < 1


def test_a_module_that_writes_nothing_is_imported_once(zygotes: Zygotes) -> None:
    source = f"import time\nMADE = time.time_ns()\n\ndef f():\n    return MADE\n{LEFT}"
    for driver in WITH_SCRATCH:
        siege = zygotes.arena(driver, "snapshot").besiege(source, *[job("f"), job("left")] * 3)
        assert len({value(outcome) for outcome in siege.outcomes[::2]}) == 1


def test_a_file_that_was_removed_leaves_no_date_behind(scratch_arena: Arena) -> None:
    source = f"{HEAD}\ndef attack():\n{indented(WAYS['a file that was removed'])}{LEFT}"
    source += "\nMADE = last_change()\n\ndef same():\n    return MADE == last_change()\n"
    siege = scratch_arena.besiege(source, job("attack"), job("same"))
    assert value(siege.outcomes[1]) is True


def test_a_look_at_the_folder_leaves_no_date_behind(scratch_arena: Arena) -> None:
    """It would tell the next case when that look was, and so whatever a case wants to tell."""
    source = f"{HEAD}\ndef look():\n    before = os.stat('.').st_atime_ns\n    time.sleep(0.05)\n"
    source += "    os.listdir('.')\n    return os.stat('.').st_atime_ns - before\n"
    siege = scratch_arena.besiege(source, job("look"), job("look"))
    assert [value(outcome) for outcome in siege.outcomes] == [0, 0]


NUMBERS = """
import os

def number():
    descriptor = os.open(".", os.O_TMPFILE | os.O_RDWR)
    try:
        return os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)

def f(n):
    found = number()
    for _ in range(100 * n):
        number()
    return found
"""


def test_files_without_a_name_use_up_no_numbers_of_the_next_case(scratch_arena: Arena) -> None:
    siege = scratch_arena.besiege(NUMBERS, *(job("f", n) for n in (1, 2, 3)))
    # The keeper itself takes one whenever it looks.
    assert all(number in range(10) for number in map(value, siege.outcomes)), siege.outcomes
