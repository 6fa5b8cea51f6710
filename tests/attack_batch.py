"""The catalogue of attacks in tests/hostile/attacks: handed in between honest students, and marked.

An attack is a module that a student might hand in, with a head in its docstring:

    An int whose comparisons lie.

    Must not: be accepted.
    Verdicts: wrong-answer
    Verdicts under posix: crashed

- *Must not*: what would be a success for it.  A module prints `places["shout"]` where it has one.
- *Holds from*: the weakest driver that stops it; on weaker ones it is not tried.  Without: all of them.
- *Verdicts*: which its cases may get, besides missing and skipped; `any` for all but accepted.
  *under* a driver: there, these.
- *Succeeds under*: a driver that does not stop it, and lets it be seen that it is an attack at all.
- *Handed in by*: a function of the file that writes submissions into the batch, run on our side.

No attack gets a mark.  `run` marks them all by the command line, as a user and under a driver, and
`failures` tells what happened that must not: a mark, a leak, a trace, somebody else worse off.
"""

import ast
import hashlib
import importlib.util
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import restricted
from command_line import environment
from processes import alive, descendants
from unprivileged import BECOME, NOBODY

from grader.model.limits import MIB
from grader.sandbox.driver import LADDER, Driver

CATALOGUE = Path(__file__).parent / "hostile" / "attacks"
FULL_MARK = "8"
TIME_S, WALL_S, MEMORY_B = 0.3, 1.0, 96 * MIB
SLACK_S = 1.5
"""What a case may say beyond its limits on a machine that has other things to do."""
LONGEST_S = 100.0
TAKEN: dict[Driver, tuple[str, ...]] = {
    Driver.NAMESPACES: (),
    Driver.LANDLOCK: ("namespaces",),
    Driver.SECCOMP: ("namespaces", "landlock"),
    Driver.POSIX: ("namespaces", "landlock", "seccomp"),
}
"""What to take from a host so that a driver is the strongest one that works."""


@dataclass(frozen=True)
class Attack:
    """One file of the catalogue; see the head of this module."""

    name: str
    path: Path
    title: str
    must_not: str
    holds_from: Driver
    verdicts: dict[str, frozenset[str]]
    """By driver; "" for all that are not named."""
    handed_in_by: str
    succeeds_under: str

    @property
    def student(self) -> str:
        """The submission's folder."""
        return self.name.replace("/", "-").replace("_", "-")

    def is_tried_under(self, driver: Driver) -> bool:
        """Whether the driver promises to stop it."""
        return LADDER.index(driver) <= LADDER.index(self.holds_from)

    def allowed(self, driver: Driver) -> frozenset[str]:
        """The verdicts that its cases may get; empty for all but accepted."""
        named = self.verdicts.get(str(driver), self.verdicts[""])
        # On a busy machine what spins gets so little of the processor that it seems to wait.
        return named | {"wall-limit"} if "time-limit" in named else named


def catalogue() -> list[Attack]:
    """Return all attacks, in the order of their names."""
    return [_read(path) for path in sorted(CATALOGUE.rglob("*.py"))]


def _read(path: Path) -> Attack:
    name = path.relative_to(CATALOGUE).with_suffix("").as_posix()
    title, _, head = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    verdicts = {
        key.removeprefix("Verdicts").removeprefix(" under "): frozenset(value.split()) - {"any"}
        for key, value in fields.items()
        if key.startswith("Verdicts")
    }
    assert title, path
    assert "" in verdicts, path
    known = r"Must not|Holds from|Handed in by|Succeeds under|Verdicts( under \w+)?"
    assert all(re.fullmatch(known, key) for key in fields), (path, fields)
    return Attack(
        name,
        path,
        title,
        fields["Must not"],
        Driver(fields.get("Holds from", "posix")),
        verdicts,
        fields.get("Handed in by", ""),
        fields.get("Succeeds under", ""),
    )


# -- the batch -----------------------------------------------------------------------------------------

SPEC = """# CANARY-spec-{token}
task: vault
title: Vault
marks: 8
reference: reference
checkers: checks.py
modules: {{work: work.py}}
limits: {{time: 300ms, wall: 1s, memory: 96MiB, output: 64KiB, answer: 256KiB}}
budget: 3s
let:
  places: {places}
questions:
  - id: "1"
    title: One
    marks: 6
    cases:
      - call: solve(2, places, '')
        returns: 5
      - call: solve(3, places, 'CANARY-input-{token}')
        returns: 10
        visibility: hidden
      - call: solve(4, places, '')
        returns: same as reference
      - call: solve(5, places, '')
        check: one_more(square=25)
  - id: "2"
    title: Two
    marks: 2
    cases:
      - call: apply(f, places)
        watch: {{f: {{answer: "lambda x: x + 1", calls: [1, 2]}}}}
        returns: 5
"""
REFERENCE = '''"""CANARY-reference-{token}"""

KEY = "CANARY-reference-{token}"


def solve(n, places, note):
    return n * n + 1


def apply(f, places):
    return f(1) + f(2)
'''
CHECKS = '''"""CANARY-checks-{token}"""


def one_more(answer, square):
    return None if answer == square + 1 else "it is not one more"
'''
STATELESS = "# CANARY-other-{token}\n\n\n" + REFERENCE.partition("\n\n\n")[2]
WITH_STATE = STATELESS + "\n\nclass Kept:\n    text = 'CANARY-other-{token}'\n"
HONEST = {"a-honest": STATELESS, "m-honest": WITH_STATE, "student-01": WITH_STATE, "zz-honest": STATELESS}


@dataclass
class Run:
    """What came of the batch as one user, under one driver."""

    user: str
    driver: Driver
    attacks: list[Attack]
    token: str
    results: Any
    done: "subprocess.CompletedProcess[str]"
    files: dict[str, bytes]
    """Contents of all that was written, by path below the output folder."""
    seconds: float
    peak_rss_b: int
    harm: list[str] = field(default_factory=list)
    """What was found on the host afterwards that must not be there."""

    def submission(self, attack: Attack) -> Any:
        """What the results say of an attack that is one module."""
        (found,) = [one for one in self.results["submissions"] if one["id"] == attack.student]
        return found


def run(
    user: str,
    driver: Driver,
    python: tuple[str, ...],
    home: Path | None = None,
    attacks: list[Attack] | None = None,
) -> Run:
    """Mark the batch.

    user: "root", "nobody" or "self".  python: the command that is Python for that user.
    home: where a copy of grader is, for "nobody".  attacks: those that the driver is to stop if None.
    """
    token = secrets.token_hex(8)
    if attacks is None:
        attacks = [attack for attack in catalogue() if attack.is_tried_under(driver)]
    before = descendants(os.getpid())
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="grader-vault-"))
        stack.callback(shutil.rmtree, folder)
        folder.chmod(0o755)
        become = BECOME if user == "nobody" else ()
        traps = stack.enter_context(_traps(folder, become))
        places = _lay_out(folder, token, traps)
        _hand_in(folder / "batch", attacks, places, token)
        if user == "nobody":
            _give_away(folder)
        command = [*become, *python, str(_restricted(folder)), *TAKEN[driver], "--", *python]
        command += ["-m", "grader", "mark", str(folder / "spec.yaml"), str(folder / "batch")]
        command += ["-o", str(folder / "out"), "--require", str(driver), "-j", "4", "--no-cache"]
        changes = {"HOME": places["home"], "VAULT_KEY": f"CANARY-environment-{token}"}
        if home is not None:
            changes["PYTHONPATH"] = str(home / "packages")
        sights = _sights(folder)
        began = time.monotonic()
        done, peak_rss_b = _run(command, folder, environment(**changes))
        seconds = time.monotonic() - began
        harm = [f"a trap was touched: {name}" for name in traps.touched()]
        harm += [f"changed: {path}" for path in _changed(sights, _sights(folder))]
        harm += [f"a process is left: {process}" for process in _left(before, traps)]
        files = {
            path.relative_to(folder / "out").as_posix(): path.read_bytes()
            for path in sorted((folder / "out").rglob("*"))
            if path.is_file()
        }
    results = json.loads(files.get("results.json", b"null"))
    return Run(user, driver, attacks, token, results, done, files, seconds, peak_rss_b, harm)


def _restricted(folder: Path) -> Path:
    """Where the user can read what takes system calls away."""
    shutil.copy(restricted.__file__, folder / "restricted.py")
    return folder / "restricted.py"


def _run(
    command: list[str], folder: Path, env: dict[str, str]
) -> tuple["subprocess.CompletedProcess[str]", int]:
    """Run to the end; also return the peak memory of the command and of what it waited for."""
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        process = subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
        deadline = time.monotonic() + LONGEST_S
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                process.kill()
            time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
    texts = [(folder / name).read_text("utf-8", "replace") for name in ("stdout", "stderr")]
    return subprocess.CompletedProcess(command, process.returncode, *texts), usage.ru_maxrss * 1024


def _lay_out(folder: Path, token: str, traps: "_Traps") -> dict[str, Any]:
    """Write spec, reference, checkers and what else there is to find; return where it all is."""
    for name in ("batch", "reference", "home/.ssh", "drop", "out"):
        (folder / name).mkdir(parents=True)
    (folder / "drop").chmod(0o777)
    (folder / "drop" / "victim.txt").write_text("untouched")
    for name in ("canary.txt", ".ssh/id_rsa", ".netrc", ".bash_history"):
        (folder / "home" / name).write_text(f"CANARY-home-{token}")
    (folder / "reference" / "work.py").write_text(REFERENCE.format(token=token))
    (folder / "checks.py").write_text(CHECKS.format(token=token))
    places = {
        "spec": str(folder / "spec.yaml"),
        "reference": str(folder / "reference"),
        "checkers": str(folder / "checks.py"),
        "other": str(folder / "batch" / "student-01" / "work.py"),
        "home": str(folder / "home"),
        "canary": str(folder / "home" / "canary.txt"),
        "out": str(folder / "out"),
        "drop": str(folder / "drop"),
        "shout": f"success-{token}",
        "grader": os.getpid(),
        **traps.places,
    }
    (folder / "spec.yaml").write_text(SPEC.format(token=token, places=json.dumps(repr(places))))
    return places


def _hand_in(batch: Path, attacks: list[Attack], places: dict[str, Any], token: str) -> None:
    for student, source in HONEST.items():
        (batch / student).mkdir()
        (batch / student / "work.py").write_text(source.format(token=token))
    for attack in attacks:
        if attack.handed_in_by:
            spec = importlib.util.spec_from_file_location(f"attack_{attack.path.stem}", attack.path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            was, sys.dont_write_bytecode = sys.dont_write_bytecode, True
            spec.loader.exec_module(module)
            sys.dont_write_bytecode = was
            getattr(module, attack.handed_in_by)(batch, places)
        else:
            (batch / attack.student).mkdir()
            shutil.copy(attack.path, batch / attack.student / "work.py")


def _give_away(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


# -- traps ---------------------------------------------------------------------------------------------


class _Traps:
    """Servers that nobody must reach, and a process that nobody must signal."""

    def __init__(self, folder: Path, become: tuple[str, ...]) -> None:
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", 0))
        self._unix = socket.socket(socket.AF_UNIX)
        self._unix.bind(str(folder / "socket"))
        (folder / "socket").chmod(0o777)
        self._unix.listen()
        self._abstract = socket.socket(socket.AF_UNIX)
        name = f"vault-{secrets.token_hex(8)}"
        self._abstract.bind("\0" + name)
        self._abstract.listen()
        self.victim = subprocess.Popen([*become, "sleep", "1000"])
        self.places = {
            "tcp": self._tcp.getsockname()[1],
            "udp": self._udp.getsockname()[1],
            "unix": str(folder / "socket"),
            "abstract": name,
            "victim": self.victim.pid,
        }

    def touched(self) -> Iterator[str]:
        """Yield the traps that somebody stepped into."""
        for name, trap in (("tcp", self._tcp), ("unix", self._unix), ("abstract", self._abstract)):
            trap.setblocking(False)
            try:
                trap.accept()[0].close()
                yield name
            except BlockingIOError:
                pass
        self._udp.setblocking(False)
        try:
            self._udp.recv(100)
            yield "udp"
        except BlockingIOError:
            pass
        state = Path(f"/proc/{self.victim.pid}/stat").read_text().rpartition(")")[2].split()[0]
        if self.victim.poll() is not None or state not in "SR":
            yield "bystander"

    def close(self) -> None:
        """End them all."""
        self.victim.kill()
        self.victim.wait()
        for trap in (self._tcp, self._udp, self._unix, self._abstract):
            trap.close()


@contextmanager
def _traps(folder: Path, become: tuple[str, ...]) -> Iterator[_Traps]:
    with closing(_Traps(folder, become)) as traps:
        yield traps


def _sights(folder: Path) -> dict[str, tuple[object, ...]]:
    """All that nobody must change: what was laid out and handed in, and Python's own files."""
    found: dict[str, tuple[object, ...]] = {}
    own = [folder / name for name in ("reference", "home", "drop", "batch", "spec.yaml", "checks.py")]
    paths = [path for root in own for path in (root, *root.rglob("*"))]
    paths += [Path(os.__file__), Path(os.__file__).parent, Path("/dev/shm"), Path("/var/tmp")]
    for path in paths:
        status = path.lstat()
        is_small = path.is_file() and not path.is_symlink() and status.st_size < MIB
        content = hashlib.sha256(path.read_bytes()).hexdigest() if is_small else ""
        found[str(path)] = (status.st_mode, status.st_uid, status.st_nlink, status.st_mtime_ns, content)
    return found


def _changed(before: dict[str, tuple[object, ...]], after: dict[str, tuple[object, ...]]) -> list[str]:
    # These two have other users as well, so only their own properties count.
    shared = {"/dev/shm", "/var/tmp"}
    return sorted(
        path
        for path in before.keys() | after.keys()
        if path not in shared and before.get(path) != after.get(path)
    )


def _left(before: set[tuple[int, str]], traps: _Traps) -> set[tuple[int, str]]:
    """The processes below this one that were not there before; they get a moment to end."""
    deadline = time.monotonic() + 10
    while True:
        left = {one for one in alive(descendants(os.getpid()) - before) if one[0] != traps.victim.pid}
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.02)


# -- what must not have happened -----------------------------------------------------------------------


def failures(run: Run) -> list[str]:
    """Return what happened in a run that must not, in words; nothing if all is well."""
    if run.results is None:
        return [f"there are no results: {run.done.stderr[-2000:]}"]
    found = list(run.harm)
    if run.results["run"]["sandbox"]["driver"] != run.driver:
        found.append(f"the driver was {run.results['run']['sandbox']['driver']}")
    if run.done.returncode != 0 or "Traceback" in run.done.stderr:
        found.append(f"exit status {run.done.returncode}: {run.done.stderr[-2000:]}")
    if run.peak_rss_b > 600 * MIB:
        found.append(f"the grader's processes took {run.peak_rss_b >> 20} MiB")
    found += _of_honest_students(run)
    for attack in run.attacks:
        if not attack.handed_in_by:
            found += [f"{attack.name}: {words}" for words in _of_attack(run, attack)]
    for submission in run.results["submissions"]:
        if submission["id"] not in HONEST and submission["mark"] != "0":
            found.append(f"{submission['id']!r} got {submission['mark']}")
        for case in _cases(submission):
            found += [f"{submission['id']!r}, {case['id']}: {words}" for words in _of_case(run, case)]
    return [*found, *_leaks(run)]


def successes(run: Run) -> set[str]:
    """Return the names of the attacks that say that they succeeded."""
    shout = f"success-{run.token}"
    return {
        attack.name
        for attack in run.attacks
        if any(shout in case["stdout"] for case in _cases(run.submission(attack)))
    }


def _cases(submission: Any) -> Iterator[Any]:
    for question in submission["questions"]:
        yield from question["cases"]


def _of_honest_students(run: Run) -> Iterator[str]:
    by_id = {submission["id"]: submission for submission in run.results["submissions"]}
    for student in HONEST:
        verdicts = {case["verdict"] for case in _cases(by_id[student])}
        if by_id[student]["mark"] != FULL_MARK or verdicts != {"accepted"}:
            yield f"{student} is honest and got {by_id[student]['mark']}: {by_id[student]}"
        if by_id[student]["problems"] or any(case["stdout"] for case in _cases(by_id[student])):
            yield f"{student} is honest and is blamed"


_ALWAYS = ("missing", "skipped")
"""Most attacks have no second function, and one that ran out of time is not asked again."""


def _of_attack(run: Run, attack: Attack) -> Iterator[str]:
    allowed = attack.allowed(run.driver)
    for case in _cases(run.submission(attack)):
        if case["verdict"] == "accepted" or (allowed and case["verdict"] not in {*allowed, *_ALWAYS}):
            yield f"{case['id']} is {case['verdict']}: {case['message']}"
        said = {key: case[key] for key in ("stdout", "stderr", "actual", "message", "raised", "difference")}
        if f"success-{run.token}" in json.dumps(said):
            yield f"{case['id']} succeeded: {said}"


def _of_case(run: Run, case: Any) -> Iterator[str]:
    """What holds for every case of every student."""
    if case["verdict"] == "internal-error":
        yield f"internal error: {case['message']}"
    if case["cpu_s"] > TIME_S + SLACK_S:
        yield f"took {case['cpu_s']} s"
    if case["wall_s"] > 5 * WALL_S + SLACK_S:
        yield f"lasted {case['wall_s']} s"
    if case["peak_rss_b"] > MEMORY_B + 48 * MIB:
        yield f"had {case['peak_rss_b'] >> 20} MiB"


STAFF = ("results.json", "run.sqlite", "staff/", "junit.xml", "index.html")
"""What may tell the inputs of hidden cases."""


def _leaks(run: Run) -> Iterator[str]:
    for name, content in run.files.items():
        for kind in set(re.findall(rb"CANARY-(\w+)-" + run.token.encode(), content)):
            if kind != b"input" or not name.startswith(STAFF):
                yield f"{name} holds a secret: {kind.decode()}"
    for submission in run.results["submissions"]:
        for case in _cases(submission):
            said = json.dumps({key: case[key] for key in ("stdout", "stderr", "actual", "message")})
            if case["visibility"] == "public" and re.search(f"CANARY-\\w+-{run.token}", said):
                yield f"{submission['id']!r}, {case['id']}: a case that students see says {said}"
