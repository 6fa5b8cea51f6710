"""Asking whether a submission's module keeps state, without parsing it on this side.

Parsing hostile source can take for ever or end an interpreter, so it happens in a box, with
limits.  That box runs our own code on the student's text, never the student's code, so its
answer can be believed; where it gives none, the module counts as one that keeps state.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grader.model.case import Call
from grader.model.limits import MIB, Limits
from grader.model.outcome import Returned
from grader.model.rule import Rule
from grader.sandbox.box import Box, Job, Program, encode_request, loaded
from grader.sandbox.zygote import SandboxFailure, Zygote

if TYPE_CHECKING:
    from grader.sandbox.rule_box import Files, RuleBox, Sight
    from grader.sandbox.tool import ToolRun

_LIMITS = Limits(time_s=1.0, wall_s=5.0)
_MEMORY_B = 256 * MIB


class Inspector:
    """Looks at modules; its box is opened when first needed."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        self._box: Box | None = None
        self._rules: RuleBox | None = None

    def look(self, files: "Files", rules: Sequence[Rule]) -> "Sight":
        """Look for what breaks rules on source.  Raises `SandboxFailure`."""
        from grader.sandbox.rule_box import RuleBox  # few tasks have rules

        self._rules = self._rules or RuleBox(self._zygote)
        return self._rules.look(files, rules)

    def run_tool(self, command: list[str], text: str) -> "ToolRun":
        """Run a linter or the like with `text` as its input, in a cell.  Raises `SandboxFailure`."""
        from grader.sandbox.tool_cell import ToolCell  # few rules need tools

        return ToolCell(self._zygote.driver, self._zygote.interpreter).run(command, text)

    def is_stateless(self, sources: dict[str, str], module: str) -> bool:
        """Whether `module` and what it imports of `sources` provably have no place to keep state."""
        request = encode_request([Call("is_stateless", (sources, module))], _LIMITS)
        try:
            box = self._box = self._box or self._open()
            answers = box.run([Job(request, _LIMITS)])[0].answers
        except SandboxFailure:
            self.close()
            return False
        return any(isinstance(answer, Returned) and answer.value is True for answer in answers)

    def _open(self) -> Box:
        program = Program("stateless", {}, shared=True, own=True, resident=True)
        box = Box(self._zygote, program, _MEMORY_B, _LIMITS, _LIMITS.time_s)
        if not loaded(box.load()[0]):
            box.close()
            raise SandboxFailure("the inspector cannot be loaded")
        return box

    def close(self) -> None:
        """End the boxes."""
        if self._rules is not None:
            self._rules.close()
            self._rules = None
        if self._box is not None:
            self._box.close()
            self._box = None
