"""The attacks by which the doctor tests each guarantee.

An attack's effect is looked for on this side where it has one, since a box that reports failure proves
nothing.
"""

import importlib.resources
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.doctor.folder import SECRET, attempt_folder
from grader.model.case import Call
from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending, Outcome, Returned
from grader.sandbox.box import Box, Job, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import WALLS, Guarantee
from grader.sandbox.request import encode_request
from grader.sandbox.zygote import SandboxFailure, Zygote

_MEMORY_B = 128 * MIB
_DISK_B = 64 * MIB
_FOLDERS = 1500
_THREADS = 400
_DESCRIPTORS = 400
_LIMITS = Limits(time_s=2.0, wall_s=5.0)
_SPIN_LIMITS = Limits(time_s=0.05, wall_s=5.0)


@dataclass(frozen=True, slots=True)
class Attack:
    """One way to break a guarantee.

    words: the attack in words.  held: tries it in a box and returns whether the guarantee held.
    quick: tried before every run; the other attacks only by `grader doctor`.
    """

    guarantee: Guarantee
    words: str
    held: Callable[["AttackSite", Box], bool]
    quick: bool = False


class AttackSite:
    """The place of attacks: a zygote, and a folder with a secret file."""

    def __init__(self, zygote: Zygote, folder: Path) -> None:
        self._zygote = zygote
        self.folder = folder
        self.secret = folder / SECRET
        self.secret.write_text("canary", encoding="utf-8")
        # Boxes without a scratch folder are asked to litter here, since no other folder is ours.
        self.litter = "." if WALLS[zygote.driver].scratch_b else str(folder)
        self.python = zygote.interpreter.command
        source = importlib.resources.files("grader.doctor").joinpath("canaries.py")
        self._program = Program("canaries", {"canaries": source.read_text(encoding="utf-8")})

    def box(self) -> Box:
        """Open a box with the canaries in it.  Raises `SandboxFailure`."""
        box = Box(self._zygote, self._program, _MEMORY_B, _LIMITS, _LIMITS.time_s, purse=UNBILLED)
        outcome, _ = box.load()
        if outcome.ending is not Ending.ANSWERED:
            box.close()
            raise SandboxFailure(f"a box cannot import a module: {outcome.ending} {outcome.detail}")
        return box


def run(zygote: Zygote, *, thorough: bool) -> dict[Attack, bool]:
    """Try all attacks, or the quick ones; return whether each guarantee held.  Raises `SandboxFailure`."""
    with attempt_folder() as folder:
        ground = AttackSite(zygote, folder)
        with ground.box() as box:
            return {attack: attack.held(ground, box) for attack in ATTACKS if thorough or attack.quick}


def _try(box: Box, function: str, *args: object, limits: Limits = _LIMITS) -> Outcome:
    return box.run([Job(encode_request((Call(function, args),), limits), limits)])[0]


def _refused(box: Box, function: str, *args: object) -> bool:
    """Tell whether a canary failed: it raised, or it did not return."""
    outcome = _try(box, function, *args)
    return not any(isinstance(answer, Returned) for answer in outcome.answers)


def _few(box: Box, most: int, function: str, *args: object) -> bool:
    """Tell whether a canary that counts what it got was stopped below `most`."""
    match _try(box, function, *args).answers:
        case (Returned(value=int() as count),):
            return count < most
    return True


def _writes(ground: AttackSite, box: Box) -> bool:
    path = ground.folder / "written.txt"
    _try(box, "write_file", str(path))
    return not path.exists()


def _changes(ground: AttackSite, box: Box) -> bool:
    path = ground.folder / "victim.txt"
    path.write_text("canary", encoding="utf-8")
    path.chmod(0o666)
    ground.folder.chmod(0o777)
    _try(box, "change_file", str(path))
    return path.exists() and path.read_text(encoding="utf-8") == "canary"


def _dates(_ground: AttackSite, box: Box) -> bool:
    own = os.stat(os.__file__)
    match _try(box, "change_dates").answers:
        case (Returned(value=str(path)),) if os.path.isfile(path) and os.stat(path).st_mtime == 1:
            if path == os.__file__:
                os.utime(path, ns=(own.st_atime_ns, own.st_mtime_ns))
            else:
                os.utime(path)
            return False
    return True


@contextmanager
def _server(kind: socket.SocketKind, address: str | tuple[str, int]) -> Iterator[socket.socket]:
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    with closing(socket.socket(family, kind)) as server:
        server.bind(address)
        if kind == socket.SOCK_STREAM:
            server.listen()
        yield server


def _unreached(server: socket.socket) -> bool:
    """Tell whether nothing reached `server`."""
    server.settimeout(0.05)
    try:
        if server.type == socket.SOCK_STREAM:
            server.accept()[0].close()
        else:
            server.recv(100)
    except TimeoutError:
        return True
    return False


def _by_tcp(_ground: AttackSite, box: Box) -> bool:
    with _server(socket.SOCK_STREAM, ("127.0.0.1", 0)) as server:
        _try(box, "connect_network", server.getsockname()[1])
        return _unreached(server)


def _by_abstract_name(_ground: AttackSite, box: Box) -> bool:
    name = f"\0grader-doctor-{secrets.token_hex(8)}"
    with _server(socket.SOCK_STREAM, name) as server:
        _try(box, "connect_local", name)
        return _unreached(server)


def _by_path(ground: AttackSite, box: Box) -> bool:
    path = str(ground.folder / "socket")
    with _server(socket.SOCK_STREAM, path) as server:
        os.chmod(path, 0o777)
        _try(box, "connect_local", path)
        return _unreached(server)


def _by_datagram(_ground: AttackSite, box: Box) -> bool:
    name = f"\0grader-doctor-{secrets.token_hex(8)}"
    with _server(socket.SOCK_DGRAM, name) as server:
        _try(box, "send_local", name)
        return _unreached(server)


def _bystander(function: str) -> Callable[[AttackSite, Box], bool]:
    """Return an attack on a process of the same user's that does not belong to the box."""

    def held(_ground: AttackSite, box: Box) -> bool:
        with ExitStack() as stack:
            process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
            stack.callback(process.wait)
            stack.callback(process.kill)
            outcome = _try(box, function, process.pid)
            time.sleep(0.02)
            returned = any(isinstance(answer, Returned) for answer in outcome.answers)
            return process.poll() is None and (not returned or function == "end_process")

    return held


def _spins(function: str) -> Callable[[AttackSite, Box], bool]:
    return lambda _, box: _try(box, function, limits=_SPIN_LIMITS).ending is Ending.TIME


def _spins_elsewhere(_ground: AttackSite, box: Box) -> bool:
    outcome = _try(box, "spin_in_process", 3 * _SPIN_LIMITS.time_s, limits=_SPIN_LIMITS)
    return not any(isinstance(answer, Returned) for answer in outcome.answers)


def _leaves_a_file(ground: AttackSite, _box: Box) -> bool:
    with ground.box() as first:
        _try(first, "leave_file", ground.litter)
    with ground.box() as second:
        answers = _try(second, "find_file", ground.litter).answers
    return not any(isinstance(answer, Returned) and answer.value is True for answer in answers)


def _leaves_a_process(ground: AttackSite, _box: Box) -> bool:
    name = f"canary-{secrets.token_hex(4)}"
    with ground.box() as box:
        _try(box, "leave_process", name)
    time.sleep(0.1)
    left = _processes_called(name)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return not left


def _processes_called(name: str) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/comm"):
        try:
            if entry.read_text(encoding="utf-8").strip() == name:
                found.append(int(entry.parent.name))
        except (OSError, UnicodeError):
            continue
    return found


def _simple(function: str) -> Callable[[AttackSite, Box], bool]:
    """Return an attack on the secret file."""
    return lambda ground, box: _refused(box, function, str(ground.secret))


_G = Guarantee

ATTACKS: tuple[Attack, ...] = (
    Attack(_G.FILES_READ, "read a file by its path", _simple("read_file"), quick=True),
    Attack(_G.FILES_READ, "read it by a descriptor of its folder", _simple("read_by_descriptor")),
    Attack(_G.FILES_READ, "list its folder", _simple("list_folder")),
    Attack(
        _G.FILES_READ,
        "read the grader's environment",
        lambda _, box: _refused(box, "read_environment", os.getpid()),
    ),
    Attack(_G.FILES_METADATA, "see a file's size", _simple("see_file"), quick=True),
    Attack(_G.FILES_WRITE, "write beside a file", _writes, quick=True),
    Attack(_G.FILES_WRITE, "change, rename and remove a file", _changes),
    Attack(_G.FILES_WRITE, "change the dates of Python's own files", _dates),
    Attack(
        _G.DISK,
        f"write {_DISK_B // MIB} MiB",
        lambda ground, box: _few(box, _DISK_B, "fill_disk", ground.litter, _DISK_B),
        quick=True,
    ),
    Attack(
        _G.DISK,
        f"make {_FOLDERS} folders",
        lambda ground, box: _few(box, _FOLDERS, "make_folders", ground.litter, _FOLDERS),
        quick=True,
    ),
    Attack(_G.NETWORK, "reach a server on this host", _by_tcp, quick=True),
    Attack(_G.NETWORK, "reach a socket by its abstract name", _by_abstract_name, quick=True),
    Attack(_G.NETWORK, "reach a socket by its path", _by_path),
    Attack(_G.NETWORK, "send a datagram to a socket", _by_datagram),
    Attack(_G.NETWORK, "make sockets of other families", lambda _, box: _refused(box, "make_sockets")),
    Attack(_G.PROCESSES, "fork", lambda _, box: _refused(box, "start_process"), quick=True),
    Attack(
        _G.PROCESSES, "start a program", lambda ground, box: _refused(box, "start_program", ground.python)
    ),
    Attack(
        _G.PROCESSES,
        f"start {_THREADS} threads",
        lambda _, box: _few(box, _THREADS, "start_threads", _THREADS),
    ),
    Attack(
        _G.SIGNALS,
        "signal the grader",
        lambda _, box: _refused(box, "signal_process", os.getpid()),
        quick=True,
    ),
    Attack(_G.SIGNALS, "end a bystander", _bystander("end_process")),
    Attack(_G.SIGNALS, "trace a bystander", _bystander("trace_process")),
    Attack(
        _G.MEMORY,
        "take twice the memory at once",
        lambda _, box: _refused(box, "take_memory", 2 * _MEMORY_B),
        quick=True,
    ),
    Attack(_G.MEMORY, "map it in pieces", lambda _, box: _refused(box, "map_memory", 2 * _MEMORY_B)),
    Attack(
        _G.MEMORY,
        f"take {_DESCRIPTORS} descriptors",
        lambda _, box: _few(box, _DESCRIPTORS, "take_descriptors", _DESCRIPTORS),
    ),
    Attack(
        _G.MEMORY,
        "take it in several processes",
        lambda _, box: _refused(box, "take_memory_in_processes", 2 * _MEMORY_B),
    ),
    Attack(_G.CPU, "spin", _spins("spin"), quick=True),
    Attack(_G.CPU, "spin in threads", _spins("spin_in_threads")),
    Attack(_G.CPU, "spin in another process", _spins_elsewhere),
    Attack(_G.LEFTOVERS, "leave a file", _leaves_a_file, quick=True),
    Attack(_G.LEFTOVERS, "leave a process", _leaves_a_process),
)
"""All of them, in the order of the guarantees."""
