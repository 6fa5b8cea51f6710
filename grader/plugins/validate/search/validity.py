"""Asks the spec which inputs make sense, where its checkers file has a function `is_valid_input`.

It is called with a function's name and the arguments of one call; of a program, with the module's name and
what the program is given.  An input for which it does not return True is not tried.  Scenarios are not asked
about.
"""

import ast
from collections.abc import Sequence
from dataclasses import replace

from grader.lab.boxes import import_limits
from grader.lab.tools import MarkingTools
from grader.model.case import Argument, Call, ProgramRun, Shipped, Watched
from grader.model.limits import Limits
from grader.model.outcome import Returned
from grader.model.task import Task
from grader.plugins.validate.search.inputs.input import Input, program_of
from grader.sandbox.box import Box, Job, Program, loaded
from grader.sandbox.budget import UNBILLED
from grader.sandbox.request import encode_request

FUNCTION = "is_valid_input"
_LIMITS = Limits(time_s=2.0, wall_s=10.0)
_MEMORY_B = 1 << 30


class Validity:
    """Chooses inputs that make sense.  Call `close` in the end."""

    def __init__(self, tools: MarkingTools, task: Task) -> None:
        self._tools = tools
        self._task = task
        self._box: Box | None = None
        self._is_asked = _is_defined(task)

    def valid(self, inputs: Sequence[Input]) -> list[Input]:
        """Return the inputs that make sense; all of them where the spec does not say.

        Raises `SandboxFailure`.
        """
        asked = [one for one in inputs if program_of(one.template) or (one.calls and not one.is_apart)]
        if not self._is_asked or not asked:
            return list(inputs)
        calls = [_question(one) for one in asked]
        request = encode_request(calls, _LIMITS, types=self._task.types, invent=True, stepwise=True)
        (outcome,) = self._opened().run([Job(request, _LIMITS)])
        refused = {
            id(one)
            for number, one in enumerate(asked)
            if outcome.answers[number : number + 1] != (Returned(True),)
        }
        return [one for one in inputs if id(one) not in refused]

    def _opened(self) -> Box:
        if self._box is None:
            checkers = self._task.checkers
            assert checkers is not None
            program = Program(checkers.path.stem, dict(checkers.texts))
            limits = import_limits(_MEMORY_B)
            self._box = Box(self._tools.zygote, program, _MEMORY_B, limits, _LIMITS.time_s, purse=UNBILLED)
            outcome, _ = self._box.load()
            self._is_asked = loaded(outcome)
        return self._box

    def close(self) -> None:
        if self._box is not None:
            self._box.close()
            self._box = None


def _is_defined(task: Task) -> bool:
    if task.checkers is None:
        return False
    tree = ast.parse(task.checkers.texts[task.checkers.path.stem])
    return any(isinstance(node, ast.FunctionDef) and node.name == FUNCTION for node in tree.body)


def _question(one: Input) -> Call:
    """Return the call that asks about an input."""
    run = program_of(one.template)
    if run is not None:
        return Call(FUNCTION, (run.module, _given(run)))
    (call,) = one.calls
    return replace(
        call,
        function=FUNCTION,
        formula=None,
        args=(call.function, *map(_shipped, call.args)),
        kwargs=tuple((name, _shipped(value)) for name, value in call.kwargs),
    )


def _given(run: ProgramRun) -> dict[str, Argument]:
    """Return what a program is given, by the words of the spec."""
    return {
        "stdin": run.stdin,
        "arguments": list(run.arguments),
        "files": dict(run.files),
        "player": dict(run.player.arguments) if run.player is not None else {},
    }


def _shipped(value: Argument) -> Argument:
    return Shipped(value.source) if isinstance(value, Watched) else value
