"""Look at a submission's source without parsing it on this side: rules run in a box, tools in a cell."""

from collections.abc import Sequence

from grader.model.rule import Rule
from grader.sandbox.budget import Budget
from grader.sandbox.tools.rule_box import Files, RuleBox, RuleScan
from grader.sandbox.tools.tool import ToolLimits, ToolRun
from grader.sandbox.tools.tool_cell import ToolCell
from grader.sandbox.zygote import Zygote


class Inspector:
    """Looks at modules; the box for rules is opened when first needed."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        self._rules: RuleBox | None = None

    def look(self, files: Files, rules: Sequence[Rule], budget: Budget) -> RuleScan:
        """Find the places where rules on source are broken.  Raises `SandboxFailure`."""
        self._rules = self._rules or RuleBox(self._zygote)
        return self._rules.look(files, rules, budget)

    def run_tool(self, command: list[str], text: str, limits: ToolLimits) -> ToolRun:
        """Run a linter or the like with `text` as its input, in a cell.  Raises `SandboxFailure`."""
        return ToolCell(self._zygote.driver, self._zygote.interpreter).run(command, text, limits)

    def close(self) -> None:
        if self._rules is not None:
            self._rules.close()
            self._rules = None
