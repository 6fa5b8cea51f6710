"""The spec's own code at work: reference, checkers, watched callbacks, each in a box of its own.

It is an instructor's code, so nothing is hidden from it, but it handles values that students
made.  A value can be slow to look at or trip a checker over; that must cost a verdict
`internal-error` on one case, not the grader.
"""

from fractions import Fraction
from pathlib import Path

from grader.judge.judge import CheckFailed, CheckResult, Expected
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned, WatchedCall
from grader.model.task import Call, Case, SameAsReference, Task, Watched
from grader.model.values import Cycle, Opaque, Record, Value
from grader.sandbox.box import Box, CallbackFailed, Job, Program, encode_request, loaded
from grader.sandbox.zygote import SandboxFailure, Zygote

_CHECK_LIMITS = Limits(time_s=20.0, wall_s=80.0)
_CALLBACK_LIMITS = Limits(time_s=2.0, wall_s=10.0)
_LOAD_LIMITS = Limits(time_s=20.0, wall_s=80.0)
_MEMORY_B = 2 << 30
_CALLBACKS = "callbacks"


def reference_sources(folder: Path) -> dict[str, str]:
    """Read the reference's modules.  Raises `OSError`."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))}


class Oracle:
    """Answers what the spec's code has to say; opens its boxes when first asked.

    Use it as a context manager, or call `close`.
    """

    def __init__(self, zygote: Zygote, task: Task) -> None:
        self._zygote = zygote
        self._task = task
        self._boxes: dict[str, Box] = {}
        self._callbacks = _callback_names(task)

    # -- reference ---------------------------------------------------------------------------------

    def expected(self, case: Case, module: str) -> Expected:
        """Return the reference's answers to the calls of `case`, or why there are none."""
        assert isinstance(case.expect, SameAsReference)
        if self._task.reference is None:
            return Expected(failure="the spec names no reference")
        program = Program(module, reference_sources(self._task.reference), shared=True)
        job = Job(encode_request(case.calls, case.limits), case.limits, self.answerer(case))
        try:
            outcome = self._run(f"reference {module}", program, job)
        except CheckFailed as failure:
            return Expected(failure=f"reference: {failure}")
        if outcome.ending is not Ending.ANSWERED:
            return Expected(failure=f"reference: {_what_happened(outcome)}")
        return Expected(answers=outcome.answers)

    # -- checkers ----------------------------------------------------------------------------------

    def check(self, checker: str, answer: Value, arguments: tuple[tuple[str, Value], ...]) -> CheckResult:
        """Ask a checker about an answer.  Raises `CheckFailed` when it has no say."""
        foreign = _first_foreign(answer)
        if foreign:
            return CheckResult(Fraction(0), f"the answer holds {foreign}, which is not plain data")
        assert self._task.checkers is not None
        name = self._task.checkers.stem
        program = Program(name, {name: self._task.checkers.read_text(encoding="utf-8")}, shared=True)
        call = Call(checker, (answer,), arguments)
        outcome = self._run("checkers", program, Job(encode_request([call], _CHECK_LIMITS), _CHECK_LIMITS))
        match outcome.answers[:1]:
            case (Returned(value=said),) if outcome.ending is Ending.ANSWERED:
                return _check_result(checker, said)
            case (RaisedAnswer(raised=raised),):
                raise CheckFailed(f"checker {checker} raised {raised.type_name}: {raised.message}")
        raise CheckFailed(f"checker {checker}: {_what_happened(outcome)}")

    # -- callbacks ---------------------------------------------------------------------------------

    def answerer(self, case: Case) -> "_Answerer | None":
        """Return what answers the watched callbacks of `case`; None where it has none."""
        sources = {watched.name: watched.source for watched in _watched(case)}
        return _Answerer(self, sources) if sources else None

    def call_back(self, source: str, args: tuple[Value, ...]) -> Value:
        """Call a watched callback.  Raises `CallbackFailed`."""
        if _first_foreign(args):
            raise CallbackFailed("the callback takes plain data only")
        lines = [f"{name} = {text}" for text, name in self._callbacks.items()]
        program = Program(_CALLBACKS, {_CALLBACKS: "\n".join(lines)}, shared=True)
        try:
            call = Call(self._callbacks[source], args)
            job = Job(encode_request([call], _CALLBACK_LIMITS), _CALLBACK_LIMITS)
            outcome = self._run(_CALLBACKS, program, job)
        except CheckFailed as failure:
            raise CallbackFailed(str(failure)) from failure
        match outcome.answers[:1]:
            case (Returned(value=value),) if not _first_foreign(value):
                return value
            case (RaisedAnswer(raised=raised),):
                raise CallbackFailed(f"the callback raised {raised.type_name}: {raised.message}")
        raise CallbackFailed("the callback gave no answer")

    # -- boxes -------------------------------------------------------------------------------------

    def _run(self, key: str, program: Program, job: Job) -> Outcome:
        """Run one job in the box of that key; a box that fails is not used again."""
        try:
            box = self._boxes.get(key) or self._open(key, program)
            return box.run([job])[0]
        except SandboxFailure as failure:
            broken = self._boxes.pop(key, None)
            if broken is not None:
                broken.close()
            raise CheckFailed(str(failure)) from failure

    def _open(self, key: str, program: Program) -> Box:
        longest_s = max([case.limits.time_s for case in self._task.cases] + [_CHECK_LIMITS.time_s])
        box = Box(self._zygote, program, _MEMORY_B, _LOAD_LIMITS, longest_s)
        outcome, _ = box.load()
        if not loaded(outcome):
            box.close()
            raise CheckFailed(f"{program.module}.py cannot be imported: {_what_happened(outcome)}")
        self._boxes[key] = box
        return box

    def close(self) -> None:
        """End all boxes."""
        for box in self._boxes.values():
            box.close()
        self._boxes.clear()


class _Answerer:
    """Answers the watched callbacks of one case."""

    def __init__(self, oracle: Oracle, sources: dict[str, str]) -> None:
        self._oracle = oracle
        self._sources = sources

    def __call__(self, call: WatchedCall) -> Value:
        source = self._sources.get(call.name)
        if source is None:
            raise CallbackFailed("there is no such callback")
        return self._oracle.call_back(source, call.args)


def _watched(case: Case) -> list[Watched]:
    arguments = [argument for call in case.calls for argument in call.args]
    arguments += [argument for call in case.calls for _, argument in call.kwargs]
    return [argument for argument in arguments if isinstance(argument, Watched)]


def _callback_names(task: Task) -> dict[str, str]:
    """Give each callback of the task a name in the callbacks' module, by its source."""
    found: dict[str, str] = {}
    for case in task.cases:
        for watched in _watched(case):
            found.setdefault(watched.source, f"callback_{len(found)}")
    return found


def _check_result(checker: str, said: Value) -> CheckResult:
    """Read what a checker returned: None or True, False or a sentence, or (score, sentence)."""
    match said:
        case None | True:
            return CheckResult(Fraction(1), "")
        case False:
            return CheckResult(Fraction(0), f"{checker} does not hold")
        case str(message):
            return CheckResult(Fraction(0), message)
        case (int() | float() as score, str(message)) if 0 <= score <= 1:
            return CheckResult(Fraction(score).limit_denominator(1_000_000), message)
    raise CheckFailed(f"checker {checker} returned neither None nor a text nor (score, text)")


def _first_foreign(value: Value) -> str:
    """Return words for the first part of `value` that is not plain data, or ""."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        match part:
            case Record(type_name=name) | Opaque(type_name=name):
                return f"a {name} object"
            case Cycle():
                return "a container that holds itself"
            case list() | tuple() | set() | frozenset():
                waiting.extend(part)
            case dict():
                waiting.extend(part.keys())
                waiting.extend(part.values())
    return ""


def _what_happened(outcome: Outcome) -> str:
    """Say in words how the spec's own code failed."""
    raised = outcome.raised
    if raised is None and outcome.answers and isinstance(outcome.answers[-1], RaisedAnswer):
        raised = outcome.answers[-1].raised
    if raised is not None:
        return f"raised {raised.type_name}: {raised.message}"
    return f"{outcome.ending} {outcome.detail}".strip()
