"""Kills the grader again and again, and shows that nothing is lost and nothing is left.

    python benchmarks/kills.py [--kills 200] [--seed 1]

A round marks a small batch into a folder, new or with the results of another version of the batch.  The
grader is killed in the midst of it, the same command is started again, killed again perhaps, and so on
until one run comes to its end.  Then

    - results.json must equal that of an undisturbed run, but for times and the run's id, and so must
      marks.csv and the names of all files;
    - what stood in the record after a kill must not have been marked again: it is there to the last byte;
    - no process may be left, looked for after each kill.

Killed is, with SIGKILL, the whole group of processes, the grader's main process alone, or one of the
processes that mark (it is the grader's own business to go on then).  A fourth way is a power cut: all is
stopped, the folder is copied as it is, files that nobody waited for the disk to have are cut or lost in
the copy, the record's log anywhere in its last commit or behind it, and the copy is what is gone on with.
The commits before that one had been waited for, each before the next began; what the log held when the
run began has reached the disk by then.

When it comes is drawn: at any moment, or shortly after the record, results.json or a page was touched.
The draws come from the seed; what a kill meets depends on the machine, so what it met is counted.
Prints that, and every difference; exits with 1 if there is any.
"""

import argparse
import ctypes
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from support.command_line import BATCH, SPEC, environment, reproducible, results  # noqa: E402
from support.processes import alive, descendants  # noqa: E402

RECORD, LOG, RESULTS = "run.sqlite", "run.sqlite-wal", "results.json"
VARIANTS = 4
CHANGED = 5
SLOW = "student-03"
"""Runs into its limits, which takes most of the time; once is enough."""
AGAIN = 0.55
"""How likely a run that goes on is killed as well."""
LOG_HEAD_B = 32
LEFT_S = 15.0
"""Longest that processes may take to be gone."""
_PR_SET_CHILD_SUBREAPER = 36


@dataclass(slots=True)
class Tally:
    """What was done, what it met, and what was wrong."""

    kills: int = 0
    rounds: int = 0
    met: Counter[str] = field(default_factory=Counter)
    victims: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    slowest_end_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch, and what an undisturbed run over it leaves.  duration_s: how long that took."""

    folder: Path
    undisturbed: Path
    duration_s: float


def main() -> int:
    """Print the table; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    # Whatever loses its parent becomes a child of this process: nothing that is left can hide.
    if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        print("processes that are left cannot be told on this system", file=sys.stderr)
        return 2
    chance, tally = random.Random(chosen.seed), Tally()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        work = Path(name)
        batches = [undisturbed(work, make_batch(work / f"batch-{number}", number)) for number in (0, 1)]
        # After Ctrl-C the table is about the rounds that came to their end.
        with suppress(KeyboardInterrupt):
            while tally.kills < chosen.kills:
                one_round(work, batches, chance, tally)
                if sys.stderr.isatty():
                    print(f"\r{tally.kills} kills", end="", file=sys.stderr)
    report(tally, chosen.seed, time.monotonic() - began)
    return int(bool(tally.wrong))


def make_batch(folder: Path, version: int) -> Path:
    """Write the tests' batch several times over, each text its own; some texts differ by version."""
    students = sorted(path for path in BATCH.iterdir() if path.is_dir())
    for variant in range(VARIANTS):
        for number, student in enumerate(students):
            if variant and student.name == SLOW:
                continue
            place = Path(shutil.copytree(student, folder / f"{student.name}-{variant}"))
            marking = f"{variant}, version {version if number < CHANGED else 0}"
            for path in place.glob("*.py"):
                path.write_bytes(path.read_bytes() + f"\n# {marking}\n".encode())
    return folder


def undisturbed(work: Path, batch: Path) -> Batch:
    """Mark the batch once in peace."""
    output = work / f"{batch.name}-undisturbed"
    began = time.monotonic()
    process = start(batch, output)
    said = process.communicate()[1]
    assert process.returncode == 0, said
    return Batch(batch, output, time.monotonic() - began)


def start(batch: Path, output: Path) -> "subprocess.Popen[str]":
    """Start the grader in a group of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "grader", "mark", str(SPEC), str(batch), "-o", str(output), "-j", "2", "-q"],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def one_round(work: Path, batches: list[Batch], chance: random.Random, tally: Tally) -> None:
    """Mark into one folder, with kills, until a run has come to its end; then compare."""
    tally.rounds += 1
    output = work / f"round-{tally.rounds}"
    before, batch = chance.sample(batches, 2)
    if chance.random() < 0.5:
        shutil.copytree(before.undisturbed, output)
    recorded: list[dict[str, tuple[str, str]]] = []
    disturbed = True
    while disturbed:
        output = disturb(batch, output, chance, tally)
        recorded.append(rows_of(output))
        disturbed = chance.random() < AGAIN
    # A marker that was killed twice at the same submission leaves it pending; the next run has it.
    for _ in range(4):
        process = start(batch.folder, output)
        said = process.communicate()[1]
        if process.returncode == 0:
            break
    gone(tally)
    where = f"round {tally.rounds}"
    if process.returncode or "Traceback" in said:
        tally.wrong.append(f"{where}: exit {process.returncode}: {said}")
    else:
        tally.wrong += [f"{where}: {what}" for what in differences(batch.undisturbed, output)]
        tally.wrong += [f"{where}: {what}" for what in marked_again(recorded, rows_of(output))]
        shutil.rmtree(output)


def disturb(batch: Batch, output: Path, chance: random.Random, tally: Tally) -> Path:
    """Start the grader and do something to it; return the folder to go on with."""
    victim = chance.choice(["group", "group", "main", "main", "marker", "power"])
    moment = chance.choice(["any", "any", RECORD, RECORD, RECORD, RESULTS, "pages", "pages"])
    if victim == "marker":  # there are none earlier or later
        moment = "marking"
    earlier = {path: stamp(path) for path in (output / LOG, output / "index.html", *halves(output))}
    log_before = read_b(output / LOG)
    process = start(batch.folder, output)
    wait_for(moment, batch, output, process, chance)
    if process.poll() is not None:
        process.communicate()
        return output  # it was done sooner than that: no kill
    tally.kills += 1
    tally.victims[victim] += 1
    if victim == "marker":
        tally.met[f"marker: {kill_marker(process, chance)}"] += 1
        said = process.communicate()[1]
        if process.returncode not in (0, 5) or "Traceback" in said:
            tally.wrong.append(f"a killed marker ended the run: {process.returncode}: {said}")
        gone(tally)
        return output
    if victim == "power":
        os.killpg(process.pid, signal.SIGSTOP)
        time.sleep(0.01)
        copy = output.with_name(f"{output.name}-{tally.kills}")
        if output.exists():
            shutil.copytree(output, copy)
            lose_some(copy, log_before, chance)
    if victim == "main":
        os.kill(process.pid, signal.SIGKILL)
    else:
        os.killpg(process.pid, signal.SIGKILL)
    said = process.communicate()[1]
    tally.met[phase(output, earlier)] += 1
    if "Traceback" in said:
        tally.wrong.append(f"a kill was answered by a traceback: {said}")
    gone(tally)
    if victim == "power":
        shutil.rmtree(output, ignore_errors=True)
        return copy
    return output


def wait_for(
    moment: str, batch: Batch, output: Path, process: "subprocess.Popen[str]", chance: random.Random
) -> None:
    """Return at the moment to kill, or when the process has ended."""
    if moment == "any":
        until(process, lambda: False, chance.uniform(0, 1.05 * batch.duration_s))
        return
    if moment == "marking":
        until(process, lambda: bool(markers(process)))
        until(process, lambda: False, chance.uniform(0, 0.4) * batch.duration_s)
        return
    if moment == RECORD:
        # Some commit, and at once.
        for _ in range(chance.randint(1, 20)):
            log = output / LOG
            until(process, partial(changed, log, stamp(log)), batch.duration_s, pause_s=0)
        return
    before, earlier = stamp(output / RESULTS), set(halves(output))
    if moment == RESULTS:
        until(process, lambda: bool({*halves(output)} - earlier) or changed(output / RESULTS, before))
        return
    until(process, partial(changed, output / RESULTS, before))
    until(process, lambda: False, chance.uniform(0, 0.35) * batch.duration_s)


def until(
    process: "subprocess.Popen[str]",
    happened: Callable[[], bool],
    longest_s: float = 60.0,
    pause_s: float = 0.0005,
) -> None:
    """Wait for something to happen or for the process to end.  pause_s: between looks; 0 uses a core."""
    end = time.monotonic() + longest_s
    while time.monotonic() < end and not happened() and process.poll() is None:
        time.sleep(pause_s)


def changed(path: Path, before: tuple[int, int]) -> bool:
    """Tell whether a file was written since."""
    return stamp(path) != before


def stamp(path: Path) -> tuple[int, int]:
    """Return what changes whenever a file is written."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_size, status.st_mtime_ns)


def kill_marker(process: "subprocess.Popen[str]", chance: random.Random) -> str:
    """Kill one of the processes that mark, if there is one; say what was met."""
    found = markers(process)
    if not found:
        return "none at work"
    os.kill(chance.choice(found), signal.SIGKILL)
    return "at work"


def markers(process: "subprocess.Popen[str]") -> list[int]:
    """Return the processes that mark: forks of the grader, so they are called as it is."""
    try:
        own = Path(f"/proc/{process.pid}/cmdline").read_bytes()
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    except OSError:
        return []
    return [int(child) for child in children if own and command_of(child) == own]


def command_of(pid: str) -> bytes:
    """Return a process's command line; empty where it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def halves(output: Path) -> list[Path]:
    """Return the files that were begun and not yet renamed."""
    return list(output.rglob(".*.part"))


def phase(output: Path, earlier: dict[Path, tuple[int, int]]) -> str:
    """Return what a run was at when it was killed, by what it has left.

    earlier: the stamps of some files before the run, those that were half written then among them.
    """
    half = next((path for path in halves(output) if path not in earlier), None)
    if half is not None:
        return "results.json half written" if RESULTS in half.name else "a report half written"
    if in_transaction(output / LOG):
        return "in the midst of a commit"
    index, written = stamp(output / "index.html"), stamp(output / RESULTS)
    if index != earlier[output / "index.html"]:
        return "after the index"
    if written[1] > index[1]:
        return "between reports"
    return "start-up" if stamp(output / LOG) == earlier[output / LOG] else "marking"


def in_transaction(log: Path) -> bool:
    """Tell whether the log of the record ends within a commit: the last frame is not one that ends it."""
    data = read_b(log)
    frames = frames_of(data)
    if not frames:
        return 0 < len(data) < LOG_HEAD_B
    end_b, ends_commit = frames[-1]
    return end_b > len(data) or not ends_commit


def read_b(path: Path) -> bytes:
    """Return what is in a file; nothing where there is none."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def frames_of(log: bytes) -> list[tuple[int, bool]]:
    """Return where each frame of a log ends, the last perhaps beyond it, and whether it ends a commit.

    As https://www.sqlite.org/fileformat2.html#walformat has it.
    """
    size_b, salts = 24 + int.from_bytes(log[8:12], "big"), log[16:24]
    found = []
    for place in range(LOG_HEAD_B, len(log) - 23, size_b):
        if log[place + 8 : place + 16] != salts:
            break  # left from before the log was begun anew
        found.append((place + size_b, log[place + 4 : place + 8] != b"\0\0\0\0"))
    return found


def ends_of_commits(log: bytes) -> list[int]:
    """Return where the commits of a log end."""
    return [end_b for end_b, ends_commit in frames_of(log) if ends_commit and end_b <= len(log)]


def lose_some(copy: Path, log_before: bytes, chance: random.Random) -> None:
    """Do to a copy what a power cut can do to what nobody had waited for the disk to have.

    log_before: what was in the record's log when the run began.
    """
    log = read_b(copy / LOG)
    if log and chance.random() < 0.5:
        safe_b = ends_of_commits(log)[:-1]
        if log[16:24] == log_before[16:24]:
            safe_b += [end_b for end_b in ends_of_commits(log_before) if end_b <= len(log)]
        os.truncate(copy / LOG, chance.randint(max(safe_b, default=0), len(log)))
    others = sorted(path for path in copy.rglob("*") if path.is_file() and not path.name.startswith(RECORD))
    for path in chance.sample(others, min(len(others), 5)):
        if chance.random() < 0.5:
            path.unlink()
        else:
            os.truncate(path, chance.choice([0, path.stat().st_size // 2]))


def gone(tally: Tally) -> None:
    """Wait for every process below this one to be gone, and note those that are not."""
    began = time.monotonic()
    me = os.getpid()
    while left := {one for one in alive(descendants(me)) if one[0] != me}:
        if time.monotonic() - began > LEFT_S:
            tally.wrong.append(f"after kill {tally.kills}: left running: {sorted(left)}")
            for pid, _ in left:
                os.kill(pid, signal.SIGKILL)
            break
        time.sleep(0.02)
    tally.slowest_end_s = max(tally.slowest_end_s, time.monotonic() - began)
    # Bury those that became ours.
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def rows_of(output: Path) -> dict[str, tuple[str, str]]:
    """Return key and text of each result in the record, read from a copy of it."""
    if not (output / RECORD).exists():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        for path in output.glob(f"{RECORD}*"):
            shutil.copy(path, folder)
        with closing(sqlite3.connect(Path(folder, RECORD))) as database:
            try:
                rows = database.execute(
                    "SELECT id, key, document FROM holding JOIN submission USING (id) WHERE key != ''"
                ).fetchall()
            except sqlite3.OperationalError as error:
                if "no such table" not in str(error):
                    raise
                return {}  # killed before it had one
    return {name: (key, text) for name, key, text in rows}


def marked_again(
    recorded: list[dict[str, tuple[str, str]]], final: dict[str, tuple[str, str]]
) -> Iterator[str]:
    """Yield what was in the record, still held, and is another result now: times and all."""
    for number, rows in enumerate(recorded, 1):
        for name, (key, text) in rows.items():
            if name not in final:
                yield f"{name} was recorded before kill {number} of this round, and is gone"
            elif final[name][0] == key and final[name][1] != text:
                yield f"{name} was recorded before kill {number} of this round, and was marked again"


def differences(expected: Path, found: Path) -> Iterator[str]:
    """Yield how what a run left differs from what an undisturbed one leaves."""
    one, other = (reproducible(results(folder)) for folder in (expected, found))
    if one != other:
        yield f"results.json differs: {first_difference(one, other)}"
    if (expected / "marks.csv").read_bytes() != (found / "marks.csv").read_bytes():
        yield "marks.csv differs"
    names = [
        {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
        for folder in (expected, found)
    ]
    if names[0] != names[1]:
        yield f"files differ: {sorted(names[0] ^ names[1])}"
    for page in found.glob("st*/*.html"):
        if not page.read_text("utf-8").endswith("</html>"):
            yield f"{page.name} is cut"


def first_difference(one: object, other: object) -> str:
    """Return the first place at which two documents differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return next(
            f"{key}/{first_difference(one[key], other[key])}" for key in one if one[key] != other[key]
        )
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        places = [place for place in range(len(one)) if one[place] != other[place]]
        return f"{places[0]}/{first_difference(one[places[0]], other[places[0]])}"
    return f" {json.dumps(one)[:300]} is {json.dumps(other)[:300]}"


def report(tally: Tally, seed: int, taken_s: float) -> None:
    """Print what was done and what it met."""
    print(f"{tally.kills} kills in {tally.rounds} rounds, seed {seed}, {taken_s:.0f} s")
    print("killed:")
    for victim, count in tally.victims.most_common():
        print(f"  {count:4}  {victim}")
    print("met:")
    for what, count in tally.met.most_common():
        print(f"  {count:4}  {what}")
    print(f"all processes gone after at most {tally.slowest_end_s:.2f} s")
    print(f"differences: {len(tally.wrong) or 'none'}")
    for what in tally.wrong:
        print(f"  {what}")


if __name__ == "__main__":
    sys.exit(main())
