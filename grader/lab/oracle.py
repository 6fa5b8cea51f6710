"""Asks the spec's own code: reference, checkers, renderers, players, watched callbacks, patterns.

Each runs in a box of its own.  An instructor wrote this code, so nothing is hidden from it, but it handles
values that students made.  A value can be slow to compare, or make a checker fail.  This must cost one case
the verdict `internal-error`, and must never harm the grader.
"""

import re
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import isnan

from grader.judge.finding import NO_ANSWER, PATTERN_S, BudgetSpent, CheckerRaised
from grader.judge.judge import CheckFailed, CheckResult, Expected
from grader.lab import validators
from grader.lab.folders import no_folder
from grader.lab.own_boxes import CHECK_LIMITS, OwnBoxes, raised_text, what_happened
from grader.lab.requests import callbacks_of, captured_modules, request_of, watched_in
from grader.lab.talk import Talk
from grader.model.case import Call, Case, Player, Watched
from grader.model.kinds import calls_of, kind_of
from grader.model.limits import Limits, allowed
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned, Turn, WatchedCall
from grader.model.own_code import Interactor, Validator
from grader.model.task import Task
from grader.model.values import Value
from grader.sandbox.box import CallbackFailed, Job, Program
from grader.sandbox.budget import Purse
from grader.sandbox.request import encode_program, encode_request
from grader.sandbox.zygote import SandboxFailure, Zygote
from grader.values.show import type_name
from grader.values.walk import first_non_data
from grader.wire.byte_text import is_utf8

_CALLBACK_LIMITS = Limits(time_s=2.0, wall_s=10.0)
_PATTERN_LIMITS = Limits(time_s=PATTERN_S, wall_s=10.0)
_CALLBACKS = "callbacks"
_LONGEST_LINE = 64 * 1024
"""The most characters of a player's answer."""

_OF_THE_BOX = frozenset({"MemoryError", "RecursionError"})
"""Exceptions that say as much about the limits of a checker's box as about the answer."""
_SPECIAL = frozenset("\\.^$*+?{}[]|()")
"""A pattern without any of these characters matches only its own text."""
_SEARCH = """
import re


def found(pattern, text, flags):
    return re.search(pattern, text, flags) is not None
"""
_PATTERNS = Program("patterns", {"patterns": _SEARCH}, lasts=True)


class _Raised(CheckFailed):
    """A function of the checkers file raised."""

    def __init__(self, text: str, answer: RaisedAnswer) -> None:
        super().__init__(text)
        self.answer = answer


class Oracle(OwnBoxes):
    """Asks the spec's code: reference, checkers, validators, patterns, callbacks.  See `OwnBoxes`."""

    def __init__(self, zygote: Zygote, task: Task, purse: Purse) -> None:
        super().__init__(zygote, task, purse)
        self._programs: dict[Hashable, tuple[str, Program]] = {}
        """The programs of validators and the keys of their boxes, by their texts; each is built once."""
        self._callbacks, self._callbacks_text = callbacks_of(task)
        self._captured = captured_modules(task)
        self._answerers = {
            case.id: _Answerer(self, watched) for case in task.cases if (watched := watched_in(case))
        }
        self.failed_at: dict[str, tuple[str, int]] = {}
        """File and line at which functions of the checkers file raised, or were stopped, by their names."""

    # -- reference ---------------------------------------------------------------------------------

    def expected(self, case: Case, module: str) -> Expected:
        """Return what the reference makes of `case`, or the reason why it makes nothing."""
        if self.task.reference is None:
            return Expected(failure="the spec names no reference")
        return kind_of(case).expected(case, module, self)

    def answers(self, case: Case, module: str) -> Expected:
        """Return the reference's answers to the calls of a case, or the reason why there are none."""
        assert self.task.reference is not None
        what = calls_of(case)
        refused = no_folder(self.zygote, "a case") if what.folder is not None else None
        if refused is not None:
            return Expected(failure=refused.detail)
        # In one process, a case would find the files that another one left, or a double that it put up.
        alone = what.folder is not None or bool(what.own_code)
        captures = module in self._captured
        program = Program(module, dict(self.task.reference.texts), shared=not alone, captures=captures)
        program = program.beside(what)
        job = Job(request_of(self.task, case), allowed(case.limits), self.answerer(case))
        seed = self.task.seed_of(case)
        key = f"reference {module} {seed} {alone} {program.harness} {program.around}"
        try:
            outcome = self.run_job(key, program, job, f"the reference's {module}.py", seed)
        except CheckFailed as failure:
            return Expected(failure=f"reference: {failure}")
        if outcome.ending is not Ending.ANSWERED:
            return Expected(failure=f"reference: {what_happened(outcome)}")
        return Expected(answers=outcome.answers, files=outcome.files)

    # -- checkers ----------------------------------------------------------------------------------

    def check(self, checker: str, answer: Value, arguments: tuple[tuple[str, Value], ...]) -> CheckResult:
        """Ask a checker about an answer.  Raises `CheckFailed` if it gives no valid result."""
        answers = () if answer is NO_ANSWER else (answer,)
        problem = first_non_data([*answers, *(value for _, value in arguments)], self.task.types)
        if problem:
            return CheckResult(Fraction(0), f"the answer holds {problem}")
        # The instructor needs the answer's type: most such faults come from an answer of another kind.
        of_type = "" if answer is NO_ANSWER else f"; the answer is of type {type_name(answer)}"
        try:
            return _check_result(checker, self._ask("checker", checker, answers, arguments))
        except BudgetSpent:
            raise
        except _Raised as raised:
            if self._says_no(raised.answer):
                return CheckResult(Fraction(0), raised.answer.raised.message)
            if _OF_THE_BOX.isdisjoint(raised.answer.bases):
                raise CheckerRaised(f"{raised}{of_type}") from raised
            raise CheckFailed(f"{raised}{of_type}") from raised
        except CheckFailed as failure:
            kind = CheckerRaised if isinstance(failure, CheckerRaised) else CheckFailed
            raise kind(f"{failure}{of_type}") from failure

    def _says_no(self, answer: RaisedAnswer) -> bool:
        """Tell whether an assertion of the checkers files failed."""
        assert self.task.checkers is not None
        frames = answer.raised.frames
        own = {f"{name}.py" for name in self.task.checkers.texts}
        return "AssertionError" in answer.bases and bool(frames) and frames[-1].file in own

    def draw(
        self, renderer: str, actual: Value, expected: Value, arguments: tuple[tuple[str, Value], ...]
    ) -> Value:
        """Let a renderer of the spec draw an answer.  Raises `CheckFailed` if it draws nothing."""
        problem = first_non_data((actual, expected), self.task.types)
        if problem:
            raise CheckFailed(f"the answer holds {problem}")
        return self._ask("renderer", renderer, (actual, expected), arguments)

    def play(self, player: Player, turns: tuple[Turn, ...], said: str) -> str | None:
        """Ask a player for its next line, None for the end.

        Raises `CheckFailed` if it has none, and `SandboxFailure`.
        """
        before: list[Value] = [(turn.said, turn.answered) for turn in turns]
        with _not_told():
            line = self._ask("player", player.function, ([*before, (said, None)],), player.arguments)
        if line is None or (type(line) is str and _is_line(line)):
            return line
        raise CheckFailed(f"player {player.function} returned neither None nor a single line of text")

    def _ask(
        self, role: str, function: str, args: tuple[Value, ...], arguments: tuple[tuple[str, Value], ...]
    ) -> Value:
        """Call a function of the checkers file.  Raises `CheckFailed` if it does not return."""
        assert self.task.checkers is not None
        program = Program(self.task.checkers.path.stem, dict(self.task.checkers.texts), lasts=True)
        call = Call(function, args, arguments)
        request = encode_request([call], CHECK_LIMITS, types=self.task.types, invent=True)
        outcome = self.run_job("checkers", program, Job(request, CHECK_LIMITS), f"{role} {function}")
        place = _place_of(outcome)
        if place is not None:
            self.failed_at[function] = place
        match outcome.answers[:1]:
            case (Returned(value=said),) if outcome.ending is Ending.ANSWERED:
                return said
            case (RaisedAnswer() as answer,):
                raise _Raised(f"{role} {function} raised {raised_text(answer.raised)}", answer)
        raise CheckFailed(f"{role} {function} {what_happened(outcome)}")

    # -- validators --------------------------------------------------------------------------------

    def validate(
        self,
        validator: Validator,
        stdin: str,
        answer: str,
        output: str,
        left: tuple[tuple[str, bytes], ...] = (),
    ) -> validators.Said:
        """Ask a validator what it thinks of an output.  Raises `CheckFailed` if it gives no verdict.

        left: the files that it left when it was asked before, about an earlier pass.
        """
        key, program = self._program_of(validator)
        asked = validators.question(validator, stdin, answer, output, left)
        limits = validators.VALIDATOR_LIMITS
        job = Job(encode_program(asked, limits), limits)
        outcome = self.run_job(key, program, job, validator.file, hung=key)
        return self.verdict(validator, outcome)

    def verdict(self, program: Validator, outcome: Outcome) -> validators.Said:
        """Return what a validator, or an interactor, said by its end.  Raises `CheckFailed`."""
        if outcome.ending is Ending.BUDGET:
            self.lack_budget()
        if validators.exit_code(outcome) is None:
            raise validators.failure(program, outcome)
        return validators.said_by(program, outcome)

    def interact(self, interactor: Interactor) -> Talk:
        """Start a talk with an interactor.  Raises `CheckFailed` and `SandboxFailure`."""
        if self.purse.is_used_up:
            self.lack_budget()
        _, loads = self._program_of(interactor.program)
        asked, limits = validators.talk_with(interactor), validators.INTERACTOR_LIMITS
        box = self.opened_box(loads, self.task.seed, self.purse.now)
        try:
            return Talk(box, Job(encode_program(asked, limits, talks=True), limits))
        except BaseException:
            box.close()
            raise

    def _program_of(self, validator: Validator) -> tuple[str, Program]:
        """Return a validator's program, and the key of its box.  Raises `CheckFailed`."""
        refused = no_folder(self.zygote, "a validator")
        if refused is not None:
            raise CheckFailed(refused.detail)
        code = (validator.file, validator.texts)
        if code not in self._programs:
            key = f"validator {validators.digest_of(validator)}"
            self._programs[code] = key, validators.program_of(validator, self.zygote)
        return self._programs[code]

    # -- patterns ----------------------------------------------------------------------------------

    def matches(self, pattern: str, text: str) -> bool | None:
        """Tell whether a regular expression is found in a text; None if the search takes too long.

        A search can need exponential time, so it runs in a box.  Raises `CheckFailed` for an invalid pattern.
        """
        return self._search(pattern, text, 0)

    def find_in_text(self, pattern: str, text: str) -> bool | None:
        """Tell the same about a printed text, in which `^` and `$` match at every line."""
        return self._search(pattern, text, int(re.MULTILINE))

    def _search(self, pattern: str, text: str, flags: int) -> bool | None:
        if _SPECIAL.isdisjoint(pattern):
            return pattern in text
        asked = f"the pattern {pattern}"
        request = encode_request([Call("found", (pattern, text, flags))], _PATTERN_LIMITS)
        outcome = self.run_job("patterns", _PATTERNS, Job(request, _PATTERN_LIMITS), asked)
        # The search may be quick on another text, and the submission's budget pays for each one.
        self.hung.discard(asked)
        match outcome.answers[:1]:
            case (Returned(value=bool(is_found)),) if outcome.ending is Ending.ANSWERED:
                return is_found
            case (RaisedAnswer(raised=raised),) if raised.type_name in ("error", "PatternError"):
                raise CheckFailed(f"{asked} is invalid: {raised.message}")
        if outcome.ending is Ending.INTERNAL:
            raise CheckFailed(f"{asked}: {outcome.detail}")
        return None

    # -- callbacks ---------------------------------------------------------------------------------

    def answerer(self, case: Case) -> "_Answerer | None":
        """Return the object that answers the watched callbacks of `case`; None if it has none."""
        return self._answerers.get(case.id)

    def call_back(self, source: str, args: tuple[Value, ...]) -> Value:
        """Call a watched callback.  Raises `CallbackFailed` and `SandboxFailure`."""
        types = self.task.types
        if first_non_data(args, types):
            raise CallbackFailed("the callback takes plain data only")
        program = Program(_CALLBACKS, {_CALLBACKS: self._callbacks_text}, lasts=True)
        try:
            call = Call(self._callbacks[source], args)
            request = encode_request([call], _CALLBACK_LIMITS, types=types, invent=True)
            job = Job(request, _CALLBACK_LIMITS)
            with _not_told():
                outcome = self.run_job(_CALLBACKS, program, job, f"callback {source}")
        except CheckFailed as failure:
            raise CallbackFailed(str(failure)) from failure
        match outcome.answers[:1]:
            case (Returned(value=value),) if not first_non_data(value, types):
                return value
            case (RaisedAnswer(raised=raised),):
                raise CallbackFailed(f"the callback raised {raised.type_name}: {raised.message}")
        if outcome.ending is Ending.INTERNAL:
            raise SandboxFailure(outcome.detail)
        raise CallbackFailed("the callback gave no answer")


class _Answerer:
    def __init__(self, oracle: Oracle, watched: Iterable[Watched]) -> None:
        self._oracle = oracle
        self._sources = {callback.name: callback.source for callback in watched}

    def __call__(self, call: WatchedCall) -> Value:
        source = self._sources.get(call.name)
        if source is None:
            raise CallbackFailed("there is no such callback")
        return self._oracle.call_back(source, call.args)


@contextmanager
def _not_told() -> Iterator[None]:
    """Raise the failure of a box of ours as that: the program that waits must not see it, and runs again."""
    try:
        yield
    except CheckFailed as failure:
        if isinstance(failure.__cause__, SandboxFailure):
            raise failure.__cause__ from None
        raise


def _check_result(checker: str, said: Value) -> CheckResult:
    """Convert a checker's result: None or True, False or a sentence, or (score, sentence)."""
    match said:
        case None | True:
            return CheckResult(Fraction(1), "")
        case False:
            return CheckResult(Fraction(0), f"{checker} does not hold")
        case str(message):
            return CheckResult(Fraction(0), message)
        case (int() | float() as score, str(message)) if 0 <= score <= 1:
            return CheckResult(Fraction(score).limit_denominator(1_000_000), message)
        case (float() as score, str()) if isnan(score):
            # It was computed from an answer that is nan, as other checkers raise on one.
            raise CheckerRaised(f"checker {checker} gave the score nan")
    raise CheckFailed(f"checker {checker} returned neither None nor a text nor (score, text)")


def _is_line(text: str) -> bool:
    if "\n" in text or len(text) > _LONGEST_LINE:
        return False
    return not any("\ud800" <= character <= "\udfff" for character in text if is_utf8(character))


def _place_of(outcome: Outcome) -> tuple[str, int] | None:
    """Return the file and line at which the spec's own code raised or was stopped; None if it did not."""
    answer = outcome.answers[-1] if outcome.answers else None
    if isinstance(answer, RaisedAnswer) and answer.raised.frames:
        frame = answer.raised.frames[-1]
        return frame.file, frame.line
    return outcome.place
