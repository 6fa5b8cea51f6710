"""Finding out what this host can guarantee: by attack, through the same path that marks.

Each guarantee is tested by really trying to break it from inside a box.  Effects are looked
at from this side; a box that reports failure proves nothing by itself.
"""

import importlib.resources
import os
import secrets
import socket
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import Fault, NoSandbox
from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending, Outcome, Returned
from grader.model.task import Call
from grader.sandbox.box import Box, Job, Program, encode_request
from grader.sandbox.driver import LADDER, WALLS, Driver, Guarantee
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote

_MEMORY_B = 128 * MIB
_DISK_B = 64 * MIB
_LIMITS = Limits(time_s=2.0, wall_s=5.0)
_SPIN_LIMITS = Limits(time_s=0.2, wall_s=5.0)

ADVICE: dict[Guarantee, str] = {
    Guarantee.FILES_METADATA: "allow user namespaces (sysctl user.max_user_namespaces, "
    "kernel.apparmor_restrict_unprivileged_userns=0), or run as root",
    Guarantee.FILES_READ: "use a kernel with Landlock (5.13 or later), or allow user namespaces",
    Guarantee.FILES_WRITE: "use a kernel with Landlock (5.13 or later), or allow user namespaces",
    Guarantee.DISK: "use a kernel with Landlock (5.13 or later), or allow user namespaces",
    Guarantee.LEFTOVERS: "use a kernel with Landlock (5.13 or later), or allow user namespaces",
    Guarantee.NETWORK: "use a kernel with seccomp filters",
    Guarantee.PROCESSES: "use a kernel with seccomp filters",
    Guarantee.SIGNALS: "use a kernel with seccomp filters",
    Guarantee.MEMORY: "run on Linux, where address space can be limited",
    Guarantee.CPU: "run on Linux",
}
"""What to do where a guarantee is open."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What one driver turned out to do on this host.

    held: every guarantee and whether it held.  failure: why the driver does not work at all, or "".
    """

    driver: Driver
    held: dict[Guarantee, bool]
    failure: str = ""


def examine(driver: Driver, interpreter: Interpreter) -> Examination:
    """Try all canaries in boxes of one driver."""
    try:
        with Zygote(driver, interpreter) as zygote:
            return Examination(driver, _Canaries(zygote).run())
    except SandboxFailure as failure:
        return Examination(driver, {}, str(failure))


def strongest(interpreter: Interpreter, required: Driver) -> Examination:
    """Return the first driver from the top of the ladder that works, examined.

    required: the weakest rung that is acceptable.  Raises `NoSandbox` below it.
    """
    failures: list[str] = []
    for driver in LADDER:
        examination = examine(driver, interpreter)
        if examination.failure:
            failures.append(f"{driver}: {examination.failure}")
            continue
        if LADDER.index(driver) <= LADDER.index(required):
            return examination
        reasons = "; ".join(failures)
        raise NoSandbox(
            Fault(
                f"the strongest sandbox that works on this host is {driver}, and {required} is required "
                f"({reasons})",
                hint=f"`grader doctor` tells what to do; `--require {driver}` marks all the same, and "
                "the report will say so",
            )
        )
    raise NoSandbox(Fault(f"no sandbox works on this host ({'; '.join(failures)})"))


class _Canaries:
    """One run of all the canaries in one zygote."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        source = importlib.resources.files("grader.sandbox").joinpath("canaries.py")
        self._program = Program("canaries", {"canaries": source.read_text(encoding="utf-8")})

    def run(self) -> dict[Guarantee, bool]:
        with tempfile.TemporaryDirectory(prefix="grader-doctor-") as folder:
            secret = Path(folder, "secret.txt")
            # Where boxes have no scratch folder, this is the only place that we may ask them to litter.
            litter = "." if WALLS[self._zygote.driver].scratch_b else folder
            secret.write_text("canary", encoding="utf-8")
            with self._box() as box:
                return {
                    Guarantee.FILES_READ: self._refused(box, "read_file", str(secret)),
                    Guarantee.FILES_METADATA: self._refused(box, "see_file", str(secret)),
                    Guarantee.FILES_WRITE: self._write_held(box, secret.with_name("written.txt")),
                    Guarantee.DISK: self._disk_held(box, litter),
                    Guarantee.NETWORK: self._network_held(box) and self._local_held(box),
                    Guarantee.PROCESSES: self._refused(box, "start_process"),
                    Guarantee.SIGNALS: self._refused(box, "signal_process", os.getpid()),
                    Guarantee.MEMORY: self._refused(box, "take_memory", 2 * _MEMORY_B),
                    Guarantee.CPU: self._try(box, "spin", limits=_SPIN_LIMITS).ending is Ending.TIME,
                    Guarantee.LEFTOVERS: self._leftovers_held(litter),
                }

    def _box(self) -> Box:
        box = Box(self._zygote, self._program, _MEMORY_B, _LIMITS, _LIMITS.time_s)
        outcome, _ = box.load()
        if outcome.ending is not Ending.ANSWERED:
            box.close()
            raise SandboxFailure(f"a box cannot import a module: {outcome.ending} {outcome.detail}")
        return box

    def _try(self, box: Box, function: str, *args: object, limits: Limits = _LIMITS) -> Outcome:
        return box.run([Job(encode_request((Call(function, args),), limits), limits)])[0]

    def _refused(self, box: Box, function: str, *args: object) -> bool:
        """Whether a canary came back empty-handed: it raised, or it did not come back."""
        outcome = self._try(box, function, *args)
        return not any(isinstance(answer, Returned) for answer in outcome.answers)

    def _write_held(self, box: Box, path: Path) -> bool:
        self._try(box, "write_file", str(path))
        return not path.exists()

    def _disk_held(self, box: Box, folder: str) -> bool:
        match self._try(box, "fill_disk", folder, _DISK_B).answers:
            case (Returned(value=int() as written),):
                return written < _DISK_B
        return True

    def _network_held(self, box: Box) -> bool:
        with closing(socket.create_server(("127.0.0.1", 0))) as server:
            return self._unreached(server, lambda: self._try(box, "connect_network", server.getsockname()[1]))

    def _local_held(self, box: Box) -> bool:
        name = f"grader-doctor-{secrets.token_hex(8)}"
        with closing(socket.socket(socket.AF_UNIX)) as server:
            server.bind("\0" + name)
            server.listen()
            return self._unreached(server, lambda: self._try(box, "connect_local", name))

    @staticmethod
    def _unreached(server: socket.socket, attack: Callable[[], Outcome]) -> bool:
        """Whether nobody connected to `server` during the attack."""
        attack()
        server.settimeout(0.05)
        try:
            server.accept()[0].close()
        except TimeoutError:
            return True
        return False

    def _leftovers_held(self, folder: str) -> bool:
        with self._box() as first:
            self._try(first, "leave_file", folder)
        with self._box() as second:
            answers = self._try(second, "find_file", folder).answers
        return not any(isinstance(answer, Returned) and answer.value is True for answer in answers)
