"""Long, coverage-guided runs over everything that reads what others wrote.

    .venv/bin/pip install atheris
    .venv/bin/python benchmarks/fuzz.py [--seconds 60] [TARGET...]

Each target runs in a process of its own for that many seconds; inputs that lead anywhere new are kept
in `.fuzz/TARGET`, for the next run.  Prints a line for each: executions, crashes, hangs (more than 10 s
of one input), and by how much its memory grew after the first quarter of the time.  Exits with 1 if
there was a crash, a hang, or more growth than `GROWTH_MIB`; what led to it is in `.fuzz/found`.
"""

import argparse
import io
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / ".fuzz"
HANG_S = 10
LONGEST_B = 16_384
MEMORY_MIB = 2048
GROWTH_MIB = 64


def wire() -> Callable[[bytes], None]:
    """The decoder, with every kind of stand-in; what it takes, the encoder must give back the same."""
    from grader.model.values import Cycle, EnumMember, OddSet, Opaque, Record
    from grader.wire import codec
    from grader.wire.decoder import Decoder

    decoder = Decoder(10_000, Record, Opaque, Cycle, EnumMember, OddSet)

    def run(data: bytes) -> None:
        try:
            decoder.decode(data)
        except (codec.Malformed, codec.TooLarge):
            return

    return run


def frames() -> Callable[[bytes], None]:
    """A stream of frames that arrives in pieces: the first byte says how long they are."""
    from grader.wire.frames import BadFrame, FrameBuffer

    def run(data: bytes) -> None:
        step = data[0] % 64 + 1 if data else 1
        buffer, taken = FrameBuffer(4096), 0
        try:
            for start in range(1, len(data), step):
                buffer.feed(data[start : start + step])
                while (message := buffer.take()) is not None:
                    taken += 5 + len(message[1])
        except BadFrame:
            return
        assert taken + len(buffer) == max(0, len(data) - 1)

    return run


def evidence() -> Callable[[bytes], None]:
    """A keeper's report around hostile bytes, decoded, shown, and compared with all kinds of values."""
    from grader.model.case import Comparison
    from grader.model.outcome import Returned
    from grader.sandbox.evidence import import_outcome_of, outcome_of
    from grader.values.compare import first_difference
    from grader.values.show import show
    from grader.wire.messages import Report

    expected = (
        [1, (2.0, {"a": {3}})],
        {1: None, (1, 2): frozenset({4})},
        10**30,
        "text",
        {1, 2, 3},
        [1.5, 2],
    )
    ways = (
        Comparison(),
        Comparison(unordered=True),
        Comparison(rel=1e-9, abs=1e-9),
        Comparison(any_sequence=True, differing=Fraction(1, 3)),
    )
    endings = ("answered", "exited", "missing", "time", "protocol")

    def run(data: bytes) -> None:
        ending = endings[data[0] % len(endings)] if data else "answered"
        report = Report(ending, 0.1, 0.1, 0, "", data[1:], data[:99], b"", "", ("start a process",))
        import_outcome_of(report)
        for answer in outcome_of(report).answers:
            if isinstance(answer, Returned):
                show(answer.value)
                for value in (*expected, answer.value):
                    for way in ways:
                        first_difference(value, answer.value, way)

    return run


def expressions() -> Callable[[bytes], None]:
    """The text of one call of a spec, with its expected value."""
    return _in_spec(lambda text: f"      - call: {_quoted(text)}\n        returns: {_quoted(text)}\n")


def spec() -> Callable[[bytes], None]:
    """A whole spec file."""
    from grader.model.errors import SpecError
    from grader.spec import load_task

    folder = Path(tempfile.mkdtemp(prefix="grader-fuzz-", dir=_memory()))
    path = folder / "spec.yaml"

    def run(data: bytes) -> None:
        path.write_bytes(data)
        try:
            load_task(path)
        except SpecError:
            return

    return run


def _in_spec(case: Callable[[str], str]) -> Callable[[bytes], None]:
    load = spec()

    def run(data: bytes) -> None:
        head = "task: fuzz\ntitle: Fuzz\nmarks: 1\nmodules: {work: work.py}\nquestions:\n  - id: '1'\n"
        body = "    title: One\n    marks: 1\n    cases:\n" + case(data.decode("utf-8", "replace"))
        load((head + body).encode())

    return run


def _quoted(text: str) -> str:
    # In YAML's double quotes, everything but these can stand as it is or as an escape.
    return (
        '"'
        + "".join(f"\\U{ord(c):08x}" if c in '"\\' or ord(c) < 32 or ord(c) > 126 else c for c in text)
        + '"'
    )


def archive() -> Callable[[bytes], None]:
    """A zip of a student's, all of its members read."""
    from grader.intake.trees.archive import ZipTree
    from grader.intake.trees.tree import TOTAL_MAX_B, Allowance, Refused

    def run(data: bytes) -> None:
        allowance = Allowance()
        try:
            with ZipTree(io.BytesIO(data)) as tree:
                for entry in tree.contents(()).entries:
                    try:
                        for _ in allowance.take(tree, (), entry, 1 << 20):
                            pass
                    except Refused:
                        continue
        except Refused:
            pass
        assert TOTAL_MAX_B - allowance.left_b <= TOTAL_MAX_B + (1 << 17)

    return run


def source() -> Callable[[bytes], None]:
    """The bytes of a source file, mended as far as may be."""
    from grader.intake.source.text import Care, repair

    def run(data: bytes) -> None:
        text = repair(data, Care()).text
        assert "\r" not in text

    return run


TARGETS: dict[str, Callable[[], Callable[[bytes], None]]] = {
    "wire": wire,
    "frames": frames,
    "evidence": evidence,
    "expressions": expressions,
    "spec": spec,
    "archive": archive,
    "source": source,
}


def seeds(target: str) -> Iterator[bytes]:
    """Yield inputs to begin with."""
    from grader.wire.encoder import encode_plain
    from grader.wire.frames import frame

    values = (
        None,
        True,
        -1,
        10**40,
        1.5,
        2j,
        "é\ud800",
        b"x",
        [1, [2]],
        (1,),
        {1, 2},
        frozenset({(1,)}),
        {1: {"a": 2}},
    )
    match target:
        case "wire":
            yield from map(encode_plain, values)
            yield b"r\x01R\x01\x01f\x81" + b"o\x01T\x01t" + b"e\x01E\x01m" + b"l\x01y\x01"
        case "frames":
            yield b"\x07" + frame(24, b"12345678" + b"x" * 40) + frame(25, b"") + b"\xff\xff\xff\xff\x18"
        case "evidence":
            yield from (b"\0" + encode_plain([("returned", value)]) for value in values)
            raised = ("raised", "E", "text", ["E", "Exception"], [("work.py", 3, "f")])
            yield b"\0" + encode_plain([raised])
        case "expressions":
            yield from (
                b"f(1, [2], {3: 4})",
                b"f(lambda x: x + 1)",
                b"-(2 ** 10) // 3 % 7",
                b"'a' * 3 + \"b\"",
            )
            yield from (b"f(float('nan'), range(3), frozenset({1}))", b"f(x=1, *y)", b"b'\\xff' 'a' {*()}")
        case "spec":
            yield from (path.read_bytes() for path in sorted((ROOT / "tests/data/spec").glob("*.yaml")))
            yield from (path.read_bytes()[:LONGEST_B] for path in sorted((ROOT / "specs").glob("*.yaml")))
        case "archive":
            yield _zip(zipfile.ZIP_DEFLATED)
            yield _zip(zipfile.ZIP_STORED)
        case _:
            paths = sorted((ROOT / "submissions").glob("*/*/*.py"))[:30]
            yield from (path.read_bytes()[:LONGEST_B] for path in paths)


def _zip(method: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive_:
        archive_.writestr("a/work.py", "x = 1\n" * 20)
        archive_.writestr("é.txt", b"data")
    return file.getvalue()


def _memory() -> str | None:
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


# -- one target, in a process of its own -----------------------------------------------------------------


def fuzz(target: str, flags: list[str]) -> None:
    """Hand over to libFuzzer; does not return."""
    import atheris

    with atheris.instrument_imports(include=["grader"]):
        run = TARGETS[target]()
    atheris.Setup([sys.argv[0], *flags], run)
    atheris.Fuzz()


def drive(target: str, seconds: int) -> bool:
    """Run one target, print its line, and return whether all was well."""
    corpus, found = KEPT / target, KEPT / "found"
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(target)):
        (corpus / f"seed-{number}").write_bytes(seed)
    flags = [f"-max_total_time={seconds}", f"-timeout={HANG_S}", f"-rss_limit_mb={MEMORY_MIB}"]
    flags += [
        f"-max_len={LONGEST_B}",
        "-print_final_stats=1",
        f"-artifact_prefix={found}/{target}-",
        str(corpus),
    ]
    done = subprocess.run(
        [sys.executable, __file__, "--one", target, *flags],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    said = done.stderr
    executions = int((re.findall(r"stat::number_of_executed_units: (\d+)", said) or ["0"])[-1])
    memory = [int(size) for size in re.findall(r"^#\d+\s.* rss: (\d+)Mb", said, re.MULTILINE)]
    settled = memory[len(memory) // 4 :] or [0]
    growth = settled[-1] - settled[0]
    covered = (re.findall(r"cov: (\d+)", said) or ["?"])[-1]
    hangs, crashes = said.count("ERROR: libFuzzer: timeout"), said.count("Uncaught Python exception")
    other = done.returncode != 0 and not hangs and not crashes
    print(
        f"{target:<12}{executions:>12,}{executions // max(1, seconds):>10,}/s{covered:>8}"
        f"{crashes:>9}{hangs:>7}{growth:>9} MiB",
        flush=True,
    )
    if hangs or crashes or other:
        print(said[-3000:], file=sys.stderr)
    return not (hangs or crashes or other) and growth <= GROWTH_MIB


def main() -> int:
    """Run the targets that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all without")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default: %(default)s)")
    options = parser.parse_args()
    unknown = set(options.targets) - set(TARGETS)
    if unknown:
        parser.error(f"there is no target {sorted(unknown)[0]!r}")
    print(
        f"{'target':<12}{'executions':>12}{'speed':>12}{'edges':>8}{'crashes':>9}{'hangs':>7}{'growth':>13}"
    )
    fine = [drive(target, options.seconds) for target in options.targets or TARGETS]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        fuzz(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(main())
