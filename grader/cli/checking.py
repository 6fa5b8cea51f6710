"""Checks a student's own work, once or at each save, and prints what was found."""

import gc
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Thread

from grader.authoring.watching import await_change, look
from grader.cli.exit_code import ExitCode
from grader.cli.interrupts import Overtaken, overtaken_by
from grader.cli.messages import tell
from grader.cli.output import print_lines, rule, width_of_terminal
from grader.cli.own_work import own_files, own_work
from grader.cli.progress.phases import PhaseDisplay
from grader.cli.run import tell_faults
from grader.engine.proof.prover import Prover
from grader.engine.self_check import SelfCheck, public_part
from grader.model.case import Visibility
from grader.model.errors import UsageError
from grader.model.events import TellPhase
from grader.model.results import SubmissionResult, TaskHead
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.reports.escape import plain
from grader.reports.terminal.lines import line
from grader.reports.words import say, speaking
from grader.sandbox.driver import remarks_on_check
from grader.spec import load_spec

_LOOK_S, _SETTLE_S = 0.02, 0.01
"""The time between two looks at the files that are watched, and for how long they stay as they are then."""
_JSON, _LINES = "grader.reports.check_json", "grader.reports.terminal.student"
"""What a check prints with."""


class Checker:
    """Checks, and prints what it found."""

    def __init__(
        self, spec: Path, path: Path, python: str, question: tuple[str, ...], anyway: bool, as_json: bool
    ) -> None:
        self.spec = spec
        self.path = path
        self.is_json = as_json
        self._python = python
        self._wanted = question
        self._anyway = anyway
        self._opened: tuple[Task, SelfCheck] | None = None
        self.is_found = False
        """The spec was found, not named: it may be the student's own."""

    def once(self, meanwhile: AbstractContextManager[None] | None = None) -> int:
        """Check, and return the exit status.  What was opened stays open for the next time.

        meanwhile: a context around all but the printing.
        """
        with meanwhile or nullcontext(), PhaseDisplay() as waiting:
            whole, session = self._session(waiting.tell)
            result = session.check(own_work(self.path, whole.asked))
        return self._print(whole, session.task, result, remarks_on_check(session.driver))

    def _session(self, tell_phase: TellPhase) -> tuple[Task, SelfCheck]:
        """Return the whole task, and a session for its public part."""
        if self._opened is None:
            whole, places = load_spec(self.spec, was_named=not self.is_found)
            # From here on this process mostly waits for the sandbox, and can import what it prints with.
            Thread(target=import_module, args=[_JSON if self.is_json else _LINES]).start()
            task = public_part(whole, self._wanted)
            own_work(self.path, task.asked)  # raises before anything is started
            prover = Prover(places, self._anyway)
            session = SelfCheck(task, self._python, tell_phase, prover, was_named=not self.is_found)
            self._opened = whole, session.__enter__()
        self._opened[1].tell = tell_phase
        return self._opened

    def close(self) -> None:
        """End the sandbox; the next check reads the spec again."""
        if self._opened is not None:
            self._opened[1].close()
        self._opened = None

    def spec_files(self) -> list[Path]:
        """Return the files that the spec consists of, as far as it is known."""
        if self._opened is None:
            return [self.spec.absolute()]
        return [file.path for file in self._opened[0].files]

    def files(self) -> list[Path]:
        """Return the files whose change can change a verdict."""
        return [*self.spec_files(), *own_files(self.path)]

    def _print(self, whole: Task, task: Task, result: SubmissionResult, remarks: list[str]) -> int:
        partial, is_part = _left_out(whole, self._wanted)
        by_people = [part.title for part in whole.questions if part.criteria]
        verdicts = [case.verdict for case in result.cases]
        if self.is_json:
            from grader.reports.check_json import check_json

            head = TaskHead.of(task)
            text = check_json(
                head, result, is_part=is_part, partial=partial, by_people=by_people, remarks=remarks
            )
            print_lines([line(text)])
        else:
            from grader.reports.terminal.student import check_lines

            lines = check_lines(TaskHead.of(task), result, width_of_terminal(), partial=partial, part=is_part)
            print_lines(lines)
            print_lines(line(remark) for remark in remarks)
            with speaking(task.language):
                _tell_of_others(is_part, by_people)
        if Verdict.INTERNAL_ERROR in verdicts:
            return ExitCode.PENDING
        met = all(verdict is Verdict.ACCEPTED for verdict in verdicts)
        return ExitCode.DONE if met else ExitCode.NOT_MET


def _tell_of_others(is_part: bool, by_people: Sequence[str]) -> None:
    if is_part:
        print_lines([line(say("These are the public cases only; marking has others too."))])
    if by_people:
        told = say("Not checked here, since a person marks it: {titles}.", titles=", ".join(by_people))
        print_lines([line(plain(told))])


def _left_out(task: Task, wanted: tuple[str, ...]) -> tuple[frozenset[str], bool]:
    """Return the ids of the questions that have cases which are not public, and whether there are any."""
    asked = [question for question in task.questions if not wanted or question.id in wanted]
    partial = [
        question.id
        for question in asked
        if any(case.visibility is not Visibility.PUBLIC for case in question.cases)
    ]
    partial += [name for name in task.more_cases if not wanted or name in wanted]
    return frozenset(partial), bool(partial)


def _watched_files(of_spec: Sequence[Path], path: Path) -> list[Path]:
    return [*of_spec, *own_files(path)]


def watched(checker: Checker) -> int:
    """Check again at each save; a check that is under way then ends.

    The sandbox and the reference's answers stay between two checks as long as the spec does.
    """
    gc.enable()
    while True:
        of_spec, of_work = look(checker.spec_files()), look(own_files(checker.path))
        began_s = time.monotonic()
        files = partial(_watched_files, [Path(name) for name in of_spec], checker.path)
        saved = partial(await_change, files, {**of_spec, **of_work}, look_s=_LOOK_S, settle_s=_SETTLE_S)
        try:
            checker.once(overtaken_by(saved))
        except UsageError as error:
            tell_faults(error)
        except Overtaken:
            checker.close()
            tell(f"{time.strftime('%H:%M:%S')}  saved meanwhile: checking again")
            continue
        took_ms = 1000 * (time.monotonic() - began_s)
        tell(f"{time.strftime('%H:%M:%S')}  {took_ms:.0f} ms; waiting for a save; Ctrl-C ends")
        # Files that this check named for the first time are not news.
        seen = {**look(checker.spec_files()), **of_spec, **of_work}
        await_change(checker.files, seen, look_s=_LOOK_S, settle_s=_SETTLE_S)
        now = look(checker.spec_files())
        if now != {name: seen.get(name) for name in now}:
            checker.close()
        if not checker.is_json:
            print_lines([line(), line(rule(80))])
