"""How long `grader similar` takes for classes of several sizes, from the texts to the pairs.

python benchmarks/similar.py [SIZE...]
"""

import sys
import time
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.many_programs import STARTER, program, renamed, reordered

from grader.doctor.doctor import strongest
from grader.model.results import Status, SubmissionResult
from grader.model.submission import SourceFile, Submission
from grader.plugins.similar.alignment import likeness
from grader.plugins.similar.comparison import compare
from grader.plugins.similar.scanner import Scanner
from grader.plugins.similar.works import GivenCode, Work, as_work
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import Zygote


def _work(name: str, text: str, scanner: Scanner, given: GivenCode) -> Work | None:
    result = SubmissionResult(
        id=name, name=name, mark=Fraction(0), max_mark=Fraction(1), status=Status.MARKED
    )
    submission = Submission(name, name, {"work": SourceFile("work.py", text)})
    return as_work(result, submission, scanner, given)


def measure(size: int) -> None:
    """Compare a class in which two works are copies of others."""
    texts = {f"student-{seed}": program(seed, functions=8) for seed in range(size - 2)}
    texts["copy-1"] = renamed(program(1, functions=8))
    texts["copy-2"] = reordered(program(2, functions=8))
    interpreter = find_interpreter("")
    driver = strongest(interpreter, Driver.POSIX).driver
    began_s = time.perf_counter()
    with Zygote(driver, interpreter) as zygote, Scanner(zygote) as scanner:
        given = GivenCode(scanner, [STARTER])
        works = [work for name, text in texts.items() if (work := _work(name, text, scanner, given))]
    scanned_s = time.perf_counter()
    found = compare(works, likeness)
    compared_s = time.perf_counter()
    lines = len(texts["student-0"].splitlines())
    print(
        f"{size:6} works of {lines} lines: scanned {scanned_s - began_s:.1f} s, "
        f"compared {compared_s - scanned_s:.1f} s; {len(found.equal)} equal, {len(found.pairs)} alike"
    )


if __name__ == "__main__":
    for argument in sys.argv[1:] or ["20", "200", "2000"]:
        measure(int(argument))
