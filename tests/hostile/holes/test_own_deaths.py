"""A process of the spec's own that dies costs no honest mark, and weakens no guard."""

import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from support.marking import HEAD, cases, question

from grader.engine.run_config import prepare_run
from grader.engine.worker import MarkedSubmission, Marker
from grader.model.outcome import Outcome
from grader.model.results import Status
from grader.model.submission import SourceFile, Submission
from grader.sandbox.box import Box
from grader.sandbox.driver import Driver
from grader.sandbox.evidence import Evidence
from grader.sandbox.zygote import HostKilled
from grader.spec import load_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the system kills for want of memory")

FIRST = """
def first(xs, f):
    for x in xs:
        found = f(x)
        if found is not None:
            return found
"""
WATCHES = question(
    "{call: 'first([1, 2, 3], f)', returns: 20, "
    "watch: {f: {answer: 'lambda x: x * 10 if x > 1 else None', calls: [1, 2]}}}"
)
ASKS = 'print(int(input("a? ")) + int(input("b? ")))\n'
PLAYS = question("{program: work, player: gives(), check: says_five()}")
PLAYERS = """
def gives(turns):
    return ["2", "3", None][len(turns) - 1]
def says_five(did):
    return did["stdout"].endswith("5\\n")
"""


class Killed:
    """Has the system kill a box of a module at its first so many jobs or imports."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, module: str, source: str, times: int) -> None:
        opened, gather, load = Box.__init__, Box.gather, Box.load
        mine: dict[int, Box] = {}
        self.left, self.killed = times, 0

        def opens(box: Box, zygote: object, program: object, *args: object, **named: object) -> None:
            mine.pop(id(box), None)
            texts = program.sources.values()  # type: ignore[attr-defined]
            if program.module == module and any(source in text for text in texts):  # type: ignore[attr-defined]
                mine[id(box)] = box
            opened(box, zygote, program, *args, **named)  # type: ignore[arg-type]

        def dies(box: Box) -> None:
            if id(box) in mine and self.left:
                self.left, self.killed = self.left - 1, self.killed + 1
                raise HostKilled("the system killed the process, probably for want of memory")

        def gathers(box: Box, jobs: object) -> list[Evidence]:
            dies(box)
            return gather(box, jobs)  # type: ignore[arg-type]

        def loads(box: Box) -> tuple[Outcome, str]:
            dies(box)
            return load(box)

        monkeypatch.setattr(Box, "__init__", opens)
        monkeypatch.setattr(Box, "gather", gathers)
        if module == "work":
            monkeypatch.setattr(Box, "load", loads)


def marker_of(folder: Path, spec: str, checkers: str = "", tests: str = "", reference: str = "") -> Marker:
    head = HEAD
    for name, text in (("checkers.py", checkers), ("test_work.py", tests), ("reference/work.py", reference)):
        if text:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
    head += "checkers: checkers.py\n" * bool(checkers) + "reference: reference\n" * bool(reference)
    (folder / "spec.yaml").write_text(head + textwrap.dedent(spec))
    config = prepare_run(load_task(folder / "spec.yaml"), Driver.NAMESPACES, "")
    return Marker(replace(config, conditions="the same"))


def work(text: str) -> Submission:
    return Submission("student-01", "student-01", {"work": SourceFile("work.py", text)})


def verdict(marked: MarkedSubmission) -> str:
    (case,) = cases(marked.result).values()
    return str(case.verdict)


@pytest.mark.parametrize(
    ("spec", "checkers", "text", "module"),
    [(WATCHES, "", FIRST, "callbacks"), (PLAYS, PLAYERS, ASKS, "checkers")],
    ids=["callback", "player"],
)
@pytest.mark.parametrize("times", [1, 3])
def test_who_answers_an_honest_program_is_killed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spec: str,
    checkers: str,
    text: str,
    module: str,
    times: int,
) -> None:
    with marker_of(tmp_path, spec, checkers) as marker:
        killed = Killed(monkeypatch, module, "", times)
        once = marker.mark(work(text))
        assert killed.killed
        assert verdict(once) == "accepted" or once.result.status is Status.PENDING, cases(once.result)
        # What was seen meanwhile is no evidence about the program.
        killed.left = 0
        assert verdict(marker.mark(work(text), once.evidence)) == "accepted"


KNOWS = """
def best(xs):
    return Liar()
class Liar(int):
    def bit_length(self):
        return 3
"""
TESTS = """
from work import best
def test_best():
    assert best([1, 7]).bit_length() == 3
"""


def test_a_lesson_of_the_reference_s_that_is_cut_off_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = "def best(xs):\n    return max(xs)\n"
    spec = question("{pytest: test_work.py}")
    with marker_of(tmp_path, spec, tests=TESTS, reference=reference) as marker:
        killed = Killed(monkeypatch, "work", "return max(xs)", 2)
        first = marker.mark(work("def best(xs):\n    return 7\n"))
        assert killed.killed == 2
        assert first.result.status is Status.PENDING, cases(first.result)
        assert verdict(marker.mark(work(KNOWS))) == "wrong-answer"
