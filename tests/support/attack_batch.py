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
- *Hands in*: the module that it is, `work` unless named; see `attack_tasks`.
  A line `### file: NAME` begins another file of the same submission.
- *Handed in by*: a function of the file that writes submissions into the batch, run on our side.

No attack gets a mark.  `runs` marks them all by the command line, as a user and under a driver, and
`failures` tells what happened that must not: a mark, a leak, a trace, somebody else worse off.
"""

import hashlib
import importlib.util
import json
import os
import re
import resource
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.model.limits import MIB
from grader.sandbox.driver import LADDER, Driver
from support import restricted, rootless
from support.attack_tasks import TASKS, VAULT, Assigned, Host
from support.attack_traps import Traps
from support.command_line import environment
from support.processes import alive, descendants
from support.unprivileged import BECOME, NOBODY, has_numpy

CATALOGUE = Path(__file__).parents[1] / "hostile" / "attacks"
TIME_S, WALL_S, MEMORY_B = 0.3, 1.0, 96 * MIB
SLACK_S = 1.5
"""What a case may say beyond its limits on a machine that has other things to do."""
LONGEST_S = 300.0
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
    hands_in: str
    succeeds_under: str

    @property
    def hides(self) -> bool:
        """Whether it hides something in its source: then some of its cases may be right."""
        return self.hands_in == "strict"

    @property
    def files(self) -> dict[str, str]:
        """The files of its submission, by name."""
        first, *others = re.split(r"^### file: (.+)\n", self.path.read_text("utf-8"), flags=re.MULTILINE)
        return {f"{self.hands_in}.py": first} | dict(zip(others[::2], others[1::2], strict=True))

    @property
    def student(self) -> str:
        """The submission's folder."""
        return self.name.replace("/", "-").replace("_", "-")

    def is_tried_under(self, driver: Driver) -> bool:
        """Whether the driver promises to stop it."""
        return LADDER.index(driver) <= LADDER.index(self.holds_from)

    def is_tried_on(self, host: Host) -> bool:
        """Whether the host's driver promises to stop it, and it can be tried there at all."""
        return self.is_tried_under(host.driver) and (host.has_numpy or self.hands_in != "grid")

    def allowed(self, driver: Driver) -> frozenset[str]:
        """The verdicts that its cases may get; empty for all but accepted."""
        named = self.verdicts.get(str(driver), self.verdicts[""])
        # On a busy machine a loop gets so little of the processor that it seems to wait.
        return named | {"wall-limit"} if "time-limit" in named else named


def catalogue() -> list[Attack]:
    """Return all attacks, in the order of their names."""
    return [_read(path) for path in sorted(CATALOGUE.rglob("*.py"))]


def _read(path: Path) -> Attack:
    name = path.relative_to(CATALOGUE).with_suffix("").as_posix()
    # Not all of them are Python that can be parsed.
    text = re.match(r'"""(.*?)"""', path.read_text("utf-8"), re.DOTALL)
    assert text is not None, path
    title, _, head = text[1].strip().partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    verdicts = {
        key.removeprefix("Verdicts").removeprefix(" under "): frozenset(value.split()) - {"any"}
        for key, value in fields.items()
        if key.startswith("Verdicts")
    }
    assert title, path
    assert "" in verdicts, path
    known = r"Must not|Holds from|Handed in by|Hands in|Succeeds under|Verdicts( under \w+)?"
    assert all(re.fullmatch(known, key) for key in fields), (path, fields)
    return Attack(
        name,
        path,
        title,
        fields["Must not"],
        Driver(fields.get("Holds from", "posix")),
        verdicts,
        fields.get("Handed in by", ""),
        fields.get("Hands in", "work"),
        fields.get("Succeeds under", ""),
    )


# -- the batch -----------------------------------------------------------------------------------------


@dataclass
class Run:
    """What came of one task's batch as one user, under one driver."""

    user: str
    driver: Driver
    task: Assigned
    host: Host
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

    def cases(self, attack: Attack) -> list[Any]:
        """The cases of those questions that are about the module of an attack."""
        questions = self.submission(attack)["questions"]
        mine = [one for one in questions if self.task.questions[one["id"]] == attack.hands_in]
        return [case for question in mine for case in question["cases"]]


@dataclass
class _Batch:
    """A batch that is laid out in a folder of its own, and marked there."""

    task: Assigned
    host: Host
    attacks: list[Attack]
    token: str
    folder: Path
    traps: Traps
    places: dict[str, Any]
    sights: dict[str, tuple[object, ...]]
    process: "subprocess.Popen[bytes] | None" = None
    peak_rss_b: int = 0
    seconds: float = 0.0


def runs(
    user: str,
    driver: Driver,
    python: tuple[str, ...],
    home: Path | None = None,
    attacks: list[Attack] | None = None,
) -> list[Run]:
    """Mark the batch of each task, side by side.

    user: "root", "nobody", "self" or a name in `rootless.USERS`.  python: the command that is Python for that
    user.  home: where a copy of grader is, for all but "root" and "self".
    attacks: those that the driver is to stop if None.
    """
    host = Host(driver, has_numpy(python, home))
    if attacks is None:
        attacks = [attack for attack in catalogue() if attack.is_tried_on(host)]
    become = BECOME if user == "nobody" else rootless.become(user)
    before = descendants(os.getpid())
    with ExitStack() as stack:
        batches = []
        for task in TASKS:
            mine = [attack for attack in attacks if attack.hands_in in task.questions.values()]
            if mine:
                batches.append(_laid_out(stack, task, host, mine, become))
        for batch in batches:
            _start(batch, become, python, home)
        _wait(batches)
        victims = {batch.traps.victim.pid for batch in batches}
        left = [f"a process is left: {process}" for process in _ended(_left(before, victims))]
        return [_run(user, batch, left) for batch in batches]


def _laid_out(
    stack: ExitStack, task: Assigned, host: Host, attacks: list[Attack], become: tuple[str, ...]
) -> _Batch:
    token = secrets.token_hex(8)
    folder = Path(tempfile.mkdtemp(prefix=f"grader-{task.name}-"))
    stack.callback(shutil.rmtree, folder)
    folder.chmod(0o755)
    traps = stack.enter_context(_traps(folder, become))
    places = _lay_out(folder, task, host, token, traps)
    _hand_in(folder / "batch", task, attacks, places, token)
    # The user must be able to read the program that takes system calls away.
    shutil.copy(restricted.__file__, folder / "restricted.py")
    if become and become != rootless.become(rootless.OF_ROOT):
        _give_away(folder)
    return _Batch(task, host, attacks, token, folder, traps, places, _sights(folder))


def _start(batch: _Batch, become: tuple[str, ...], python: tuple[str, ...], home: Path | None) -> None:
    folder, driver = batch.folder, batch.host.driver
    command = [*become, *python, str(folder / "restricted.py"), *TAKEN[driver], "--", *python]
    command += ["-m", "grader", "mark", str(folder / "spec.yaml"), str(folder / "batch")]
    command += ["-o", str(folder / "out"), "--require", str(driver), "-j", "3", "--no-cache"]
    changes = {"HOME": batch.places["home"], "VAULT_KEY": f"CANARY-environment-{batch.token}"}
    if home is not None:
        changes["PYTHONPATH"] = str(home / "packages")
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as err:
        batch.process = subprocess.Popen(
            command, cwd=folder, env=environment(**changes), stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )


def _wait(batches: list[_Batch]) -> None:
    """Wait until all commands end; note the peak memory of each and of its children."""
    began = time.monotonic()
    waiting = list(batches)
    while waiting:
        for batch in list(waiting):
            assert batch.process is not None
            pid, status, usage = os.wait4(batch.process.pid, os.WNOHANG)
            if pid:
                batch.process.returncode = os.waitstatus_to_exitcode(status)
                # A child begins with the peak of this process, and tells it where it needs no more itself.
                own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                batch.peak_rss_b = usage.ru_maxrss * 1024 if usage.ru_maxrss > own else 0
                batch.seconds = time.monotonic() - began
                waiting.remove(batch)
            elif time.monotonic() > began + LONGEST_S:
                batch.process.kill()
        time.sleep(0.02)


def _run(user: str, batch: _Batch, left: list[str]) -> Run:
    folder = batch.folder
    harm = [f"a trap was touched: {name}" for name in batch.traps.touched()]
    harm += [f"changed: {path}" for path in _changed(batch.sights, _sights(folder))]
    out = sorted(path for path in (folder / "out").rglob("*") if path.is_file())
    files = {path.relative_to(folder / "out").as_posix(): path.read_bytes() for path in out}
    assert batch.process is not None
    texts = [(folder / name).read_text("utf-8", "replace") for name in ("stdout", "stderr")]
    done = subprocess.CompletedProcess[str](batch.process.args, batch.process.returncode, *texts)
    return Run(
        user,
        batch.host.driver,
        batch.task,
        batch.host,
        batch.attacks,
        batch.token,
        json.loads(files.get("results.json", b"null")),
        done,
        files,
        batch.seconds,
        batch.peak_rss_b,
        harm + left,
    )


def _lay_out(folder: Path, task: Assigned, host: Host, token: str, traps: "Traps") -> dict[str, Any]:
    """Write spec, reference, checkers and the secrets; return the path of each."""
    for name in ("batch", "reference", "home/.ssh", "drop", "out"):
        (folder / name).mkdir(parents=True)
    (folder / "drop").chmod(0o777)
    (folder / "drop" / "victim.txt").write_text("untouched")
    for name in ("canary.txt", ".ssh/id_rsa", ".netrc", ".bash_history"):
        (folder / "home" / name).write_text(f"CANARY-home-{token}")
    for module, text in task.reference.items():
        (folder / "reference" / f"{module}.py").write_text(text.replace("{token}", token))
    (folder / "checks.py").write_text(task.checkers.replace("{token}", token))
    places = {
        "spec": str(folder / "spec.yaml"),
        "reference": str(folder / "reference"),
        "checkers": str(folder / "checks.py"),
        "other": str(folder / "batch" / "student-01" / f"{next(iter(task.reference))}.py"),
        "home": str(folder / "home"),
        "canary": str(folder / "home" / "canary.txt"),
        "out": str(folder / "out"),
        "drop": str(folder / "drop"),
        "shout": f"success-{token}",
        "grader": os.getpid(),
        **traps.places,
    }
    (folder / "spec.yaml").write_text(task.spec(host, token, places))
    return places


def _hand_in(batch: Path, task: Assigned, attacks: list[Attack], places: dict[str, Any], token: str) -> None:
    for student, sources in task.honest.items():
        (batch / student).mkdir()
        for name, source in sources.items():
            (batch / student / f"{name}.py").write_text(source.replace("{token}", token))
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
            for name, text in attack.files.items():
                path = batch / attack.student / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")


def _give_away(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)


# -- what else there is on the host ----------------------------------------------------------------------


@contextmanager
def _traps(folder: Path, become: tuple[str, ...]) -> Iterator[Traps]:
    with closing(Traps(folder, become)) as traps:
        yield traps


def _sights(folder: Path) -> dict[str, tuple[object, ...]]:
    """Return the state of all files that no attack may change: spec, submissions, Python's own files."""
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


def _left(before: set[tuple[int, str]], victims: set[int]) -> set[tuple[int, str]]:
    """The processes below this one that were not there before; they get a moment to end."""
    deadline = time.monotonic() + 10
    while True:
        left = {one for one in alive(descendants(os.getpid()) - before) if one[0] not in victims}
        if not left or time.monotonic() > deadline:
            return left
        time.sleep(0.02)


def _ended(left: set[tuple[int, str]]) -> set[tuple[int, str]]:
    """End the processes that an attack left, so that no later test meets them; return them."""
    for pid, _ in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return left


# -- what must not have happened -----------------------------------------------------------------------


def failures(run: Run) -> list[str]:
    """Return in words each thing that went wrong in a run."""
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
        if submission["id"] not in run.task.honest and submission["mark"] != "0":
            found.append(f"{submission['id']!r} got {submission['mark']}")
        for case in _cases(submission):
            found += [f"{submission['id']!r}, {case['id']}: {words}" for words in _of_case(run, case)]
    return [*found, *_leaks(run)]


def successes(run: Run) -> set[str]:
    """Return the names of the attacks that say that they succeeded."""
    shout = f"success-{run.token}"
    return {
        attack.name for attack in run.attacks if any(shout in case["stdout"] for case in run.cases(attack))
    }


def _cases(submission: Any) -> Iterator[Any]:
    for question in submission["questions"]:
        yield from question["cases"]


def _of_honest_students(run: Run) -> Iterator[str]:
    by_id = {submission["id"]: submission for submission in run.results["submissions"]}
    for student in run.task.honest:
        verdicts = {case["verdict"] for case in _cases(by_id[student])}
        if by_id[student]["mark"] != run.task.full_mark(run.host) or verdicts != {"accepted"}:
            yield f"{student} is honest and got {by_id[student]['mark']}: {by_id[student]}"
        printed = run.task is VAULT and any(case["stdout"] for case in _cases(by_id[student]))
        if by_id[student]["problems"] or printed:
            yield f"{student} is honest and is blamed"


_ALWAYS = ("missing", "skipped")
"""Most attacks have no second function, and one that ran out of time is not asked again."""


def _of_attack(run: Run, attack: Attack) -> Iterator[str]:
    allowed = attack.allowed(run.driver)
    cases = run.cases(attack)
    for case in cases:
        if case["verdict"] == "accepted" and not attack.hides:
            yield f"{case['id']} is accepted"
        elif allowed and case["verdict"] not in {*allowed, *_ALWAYS, "accepted"}:
            yield f"{case['id']} is {case['verdict']}: {case['message']}"
        said = {key: case[key] for key in ("stdout", "stderr", "actual", "message", "raised", "difference")}
        if f"success-{run.token}" in json.dumps(said):
            yield f"{case['id']} succeeded: {said}"
    if attack.hides and not allowed & {case["verdict"] for case in cases}:
        yield "what it hides was not found"


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


def _is_own(run: Run, kind: bytes, name: str) -> bool:
    """Tell whether a secret is in the file because honest students see their own work, which holds it."""
    pages = {f"{folder}/{student}.html" for folder in ("staff", "students") for student in run.task.honest}
    return kind == b"other" and name in {"results.json", "run.sqlite", *pages}


def _leaks(run: Run) -> Iterator[str]:
    for name, content in run.files.items():
        for kind in set(re.findall(rb"CANARY-(\w+)-" + run.token.encode(), content)):
            if (kind != b"input" or not name.startswith(STAFF)) and not _is_own(run, kind, name):
                yield f"{name} holds a secret: {kind.decode()}"
    for submission in run.results["submissions"]:
        if submission["id"] not in run.task.honest and f"CANARY-other-{run.token}" in json.dumps(submission):
            yield f"{submission['id']!r} has a text of another student"
        for case in _cases(submission):
            said = json.dumps({key: case[key] for key in ("stdout", "stderr", "actual", "message")})
            if case["visibility"] == "public" and re.search(f"CANARY-\\w+-{run.token}", said):
                yield f"{submission['id']!r}, {case['id']}: a case that students see says {said}"
