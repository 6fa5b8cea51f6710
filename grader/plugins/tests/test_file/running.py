"""Runs tests of a test file against a program: the tests in one box, the program in another, we between them.

The two never see each other.  Each operation of a test travels to the program's process and its result back,
both decoded under limits here.  Each test has a process of the program's of its own; a student's tests
share one.
"""

import marshal
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

from grader.lab.reference_names import names_of
from grader.model.case import FileOfTests
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, Returned, TestEnd, TestOutcome, WatchedCall
from grader.model.results import Frame, Raised
from grader.model.task import OwnCode
from grader.model.values import Value
from grader.sandbox.box import Box, Job
from grader.sandbox.budget import Budget
from grader.sandbox.evidence import Evidence, outcome_of, without_addresses
from grader.sandbox.served import ProcessEnded, RemoteModule
from grader.wire import codec, messages
from grader.wire.decoder import decode_plain
from grader.wire.encoder import encode_plain
from grader.wire.messages import Report

TEST_LIMITS = Limits(time_s=10.0, wall_s=20.0, answer_b=64 << 20)
"""What the tests of one case may use themselves, besides the program."""
_LONGEST = 2_000
_MOST_TESTS = 10_000
_REFUSED = "refused"
_MOMENTARY = frozenset({"wall", "internal"})
"""Endings that depend on the machine's load."""
_AT_A_LIMIT = frozenset({"time", "wall", "budget", "answer-size"})
"""Endings that say nothing of a program that had passed its test before: our own questions cost too much."""


@dataclass(frozen=True, slots=True)
class TestOrder:
    """Tests to run.

    name: of one test function, with its classes; empty for all of the file.
    program: the modules of the program that tests can import.
    guarded: the tests are a student's, and the program's source is kept from them.  One process of the
    program's serves all of them, as in a run of pytest: what a test file makes at its top level stays.
    reference: the modules of the reference.
    learned: what the reference did in these tests; None if that is not known.
    learns: the program is the reference, and what it does is noted.
    """

    __test__ = False

    file: FileOfTests
    name: str
    program: tuple[str, ...]
    guarded: bool = False
    reference: OwnCode | None = None
    learned: Value = None
    learns: bool = False


def run_tests(
    order: TestOrder,
    cell: Box,
    program: Box,
    limits: Limits,
    own_limits: Limits,
    budget: Budget,
) -> tuple[Outcome, Evidence | None]:
    """Run tests in `cell` against the program in `program`; return what became of each.

    limits: of the program, for each test.  own_limits: of the tests.  budget: both boxes draw from it.
    With it comes the evidence for `known_outcome`; None where another time could give something else.
    Raises `SandboxFailure`.
    """
    talk = _Between(program, order, limits, budget)
    lowered = budget.within(own_limits)
    job = Job(_request(order, lowered), own_limits, talk.answer)
    try:
        (found,) = cell.gather([job])
    finally:
        talk.end()
    if found.report.ending == "budget" or talk.lacks_budget:
        return Outcome(ending=Ending.BUDGET, detail=f"skipped: {budget.reason()}"), None
    seen = _Seen(found.report, talk.reports, talk.endings, talk.raised)
    tests = _Tests(order, seen)
    # The cell stops a test a little before its limits.  Where the budget had lowered them, that is its end.
    computed = lowered.time_s < own_limits.time_s and tests.is_stopped(waited=False)
    waited = lowered.wall_s < own_limits.wall_s and tests.is_stopped(waited=True)
    if computed or waited:
        budget.spend(budget.cpu_left_s if computed else 0.0, budget.wall_left_s if waited else 0.0)
        return Outcome(ending=Ending.BUDGET, detail=f"skipped: {budget.reason()}"), None
    outcome = tests.outcome()
    # A test that was stopped is one that the machine may have made slow.
    is_sure = (
        outcome.ending is Ending.ANSWERED
        and all(test.end is not TestEnd.BROKEN for test in outcome.tests)
        and _MOMENTARY.isdisjoint(report.ending for report in seen.reports)
    )
    return outcome, seen.packed() if is_sure else None


def known_outcome(order: TestOrder, known: Evidence, budget: Budget) -> Outcome:
    """Return what became of tests by the evidence of an earlier run; the budget pays as it did then."""
    seen = _Seen.unpacked(known)
    for report in (seen.cell, *seen.reports):
        budget.charge(report)
    return _Tests(order, seen).outcome()


def _request(order: TestOrder, limits: Limits) -> bytes:
    """Return the call of `grader.plugins.tests.cell.main.run`, with a callback that reaches us."""
    about = {
        "texts": dict(order.file.texts),
        "main": order.file.module,
        "node": order.name.split(".") if order.name else [],
        "program": list(order.program),
        "known": list(order.file.tests) if order.name else [],
        "names": None if order.guarded else names_of(order.reference),
        "keeps": order.guarded,
        "learned": order.learned,
        "learns": order.learns,
        "limits": [limits.time_s, limits.wall_s],
    }
    arguments = [("value", about), ("watched", "ask")]
    call: tuple[object, ...] = ("run", arguments, {}, True)
    return marshal.dumps((limits.answer_b, [call], None), messages.MARSHAL_FORMAT)


class _Between:
    """Takes the operations of the tests to the program's processes: one for each test, or one for all."""

    def __init__(self, box: Box, order: TestOrder, limits: Limits, budget: Budget) -> None:
        self._box = box
        self._order = order
        self._limits = limits
        self._budget = budget
        self._served: RemoteModule | None = None
        self.lacks_budget = False
        self.reports: list[Report] = []
        self.endings: dict[int, int] = {}
        """For each process that ended badly, by the number of the test, the number of its report."""
        self.raised: list[Raised] = []
        self._test = 0
        self._settled = -1
        """The latest test that was over: only control questions follow."""

    def answer(self, call: WatchedCall) -> Value:
        """Answer a message of the tests."""
        match call.args:
            case (["fresh"],):
                self.end()
                self._test += 1
                return ["ready"]
            case (["next"],):
                self._test += 1
                return ["ready"]
            case (["settle"],):
                self._settled = self._test
                return ["ready"]
            case (list() as operation,):
                return self._asked(operation)
        return [_REFUSED, "no operation"]

    def _asked(self, operation: Value) -> Value:
        if self._test in self.endings or (self._order.guarded and self.endings):
            return ["over"]
        try:
            message = self._open().ask(operation)
            reply: list[object] = [message.kind, *message.content]
            if message.raised is not None:
                reply.insert(1, len(self.raised))
                self.raised.append(message.raised)
            reply += [message.printed, message.errors]
            encode_plain(reply)
        except ProcessEnded as over:
            self._note(over)
            return ["over"]
        except codec.TooLarge as error:
            self._note(ProcessEnded(self._end_now(), str(error)))
            return ["over"]
        except TypeError:
            return [_REFUSED, "no data"]
        return reply

    def _open(self) -> RemoteModule:
        if self._served is None:
            if self._budget.is_used_up:
                self.lacks_budget |= self._settled != self._test
                raise ProcessEnded(None)
            order = self._order
            self._served = RemoteModule(self._box, self._limits, order.program, guarded=order.guarded)
        return self._served

    def _note(self, over: ProcessEnded) -> None:
        report = over.report
        if report is None:
            # There is no budget left.
            self._spoil(len(self.reports), "budget")
            return
        if over.detail and report.ending == "answered":
            report = report._replace(ending="answer-size", detail=over.detail, answer=b"")
        if report.ending == "answered":
            report = report._replace(ending="protocol", detail="ended before the test", answer=b"")
        self._served = None
        self._spoil(len(self.reports), report.ending)
        self._add(report)

    def _spoil(self, number: int, ending: str) -> None:
        """Note the report of a process that ended badly, unless that was after its test, at a limit."""
        if self._settled != self._test or ending not in _AT_A_LIMIT:
            self.endings[self._test] = number

    def _end_now(self) -> Report:
        assert self._served is not None, "it has just answered"
        return self._served.end()

    def end(self) -> None:
        """End the present test's process, and note how it ended."""
        if self._served is not None:
            report = self._served.end()
            self._served = None
            self._add(report)
            if report.ending != "answered":
                self._spoil(len(self.reports) - 1, report.ending)

    def _add(self, report: Report) -> None:
        self.lacks_budget |= report.ending == "budget" and self._settled != self._test
        self.reports.append(report)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The evidence about tests: the report on the cell, those on the program's processes, what these raised.

    endings: see `_Between`.
    """

    cell: Report
    reports: Sequence[Report]
    endings: dict[int, int]
    raised: Sequence[Raised]

    def packed(self) -> Evidence:
        said = [self.endings, [astuple(raised) for raised in self.raised]]
        return Evidence(self.cell, (messages.pack_reports(self.reports), encode_plain(said)))

    @classmethod
    def unpacked(cls, known: Evidence) -> "_Seen":
        reports, said = known.calls
        found: Any = decode_plain(said)
        endings, raised = found
        made = [
            Raised(name, text, tuple(Frame(*frame) for frame in frames), hint)
            for name, text, frames, hint in raised
        ]
        return cls(known.report, messages.unpack_reports(reports), endings, made)


class _Tests:
    """Puts together what the cell says of the tests, and how the program's processes ended."""

    def __init__(self, order: TestOrder, seen: _Seen) -> None:
        self._order = order
        self._seen = seen
        self._cell = outcome_of(seen.cell)

    def outcome(self) -> Outcome:
        reports = self._seen.reports
        measured = Outcome(
            ending=Ending.ANSWERED,
            cpu_s=max((report.cpu_s for report in reports), default=0.0),
            wall_s=max((report.wall_s for report in reports), default=0.0),
            waited_s=max((report.waited_s for report in reports), default=0.0),
            peak_rss_b=max((report.peak_rss_b for report in reports), default=0),
            stdout="".join(report.stdout.decode("utf-8", "replace") for report in reports)[:_LONGEST],
            stderr="".join(report.stderr.decode("utf-8", "replace") for report in reports)[:_LONGEST],
        )
        if told := self._told():
            tests = tuple(self._test(number, each) for number, each in enumerate(told[:_MOST_TESTS]))
            first = told[0] if isinstance(told[0], dict) else {}
            return replace(measured, tests=tests, learned=first.get("learned"))
        if self._order.guarded:
            # The tests are a student's.
            return self._cell
        return replace(measured, ending=Ending.INTERNAL, detail=self._failure())

    def is_stopped(self, *, waited: bool) -> bool:
        """Tell whether a test was stopped since it waited, or computed, for too long."""
        return any(isinstance(each, dict) and each.get("waited") is waited for each in self._told())

    def _told(self) -> list[Value]:
        match self._cell.answers:
            case (Returned(value=list() as told),) if self._cell.ending is Ending.ANSWERED:
                return told
        return []

    def _test(self, number: int, told: Value) -> TestOutcome:
        said = told if isinstance(told, dict) else {}
        end = _text(said, "end")
        found = TestOutcome(
            name=_text(said, "name"),
            end=TestEnd(end) if end in set(TestEnd) else TestEnd.BROKEN,
            message=_text(said, "message"),
            expected=_text(said, "expected"),
            actual=_text(said, "actual"),
            raised=self._raised(said.get("raised")),
            answered=said.get("answers") is True,
            ending=self._ending(number),
        )
        if found.ending is not None:
            return replace(found, end=TestEnd.OVER)
        if (found.end is TestEnd.RAISED) is (found.raised is None) or found.end is TestEnd.OVER:
            return replace(found, end=TestEnd.BROKEN, message="the test's end is not clear")
        return found

    def _ending(self, number: int) -> Outcome | None:
        """Return how the process of a test ended, if it ended badly."""
        report = self._seen.endings.get(number)
        return outcome_of(self._seen.reports[report]) if report is not None else None

    def _raised(self, number: Value) -> Raised | None:
        raised = self._seen.raised
        return raised[number] if isinstance(number, int) and 0 <= number < len(raised) else None

    def _failure(self) -> str:
        cell = self._cell
        name = self._order.name or self._order.file.module
        line = ""
        if cell.place is not None and cell.place[0].removesuffix(".py") in dict(self._order.file.texts):
            line = f" in line {cell.place[1]} of {cell.place[0]}"
        if cell.ending is Ending.TIME:
            return f"test {name} was stopped after {cell.cpu_s:.2g} s of computing{line}"
        if cell.ending is Ending.WALL:
            return f"test {name} was stopped after it waited for {cell.waited_s:.2g} s{line}"
        raised = next((a.raised for a in cell.answers if not isinstance(a, Returned)), None)
        said = f"{raised.type_name}: {raised.message}" if raised else cell.detail
        return f"test {name} did not run to its end: {cell.ending} {said}".rstrip()


def _text(said: dict[object, object], key: str) -> str:
    value = said.get(key)
    return without_addresses(value[:_LONGEST]) if isinstance(value, str) else ""


def programs_of(modules: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the modules of a task that its tests can import."""
    return tuple(name for name, _ in modules)
