"""Cases that look at the source.  All rules of a task look at once, before any case runs; see `looking`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from grader.judge.endings import judge_ending
from grader.judge.finding import Checkers, Expected, Finding
from grader.kinds.kind import Kind
from grader.model.case import Case
from grader.model.outcome import Outcome
from grader.model.results import CaseResult
from grader.model.rule import Rule
from grader.model.task import Task
from grader.spec.decode.inherited import Inherited
from grader.spec.decode.of_task.rules import decode_rule_case
from grader.spec.expressions.context import Context
from grader.yamlfile.table import Fields

if TYPE_CHECKING:
    from grader.reports.standalone import Standalone
    from grader.spec.writing.cases import Writer


class RuleCases(Kind[Rule]):
    """A rule on source with a mark of its own."""

    name = "rule"
    runs = False
    imports = False

    def read(self, fields: Fields, common: Case, context: Context, inherited: Inherited) -> Sequence[Case]:
        rule = decode_rule_case(fields, context, inherited.module)
        # A plugin's rule has a hint of its own.
        hint = common.hint or rule.hint
        return [replace(common, text=rule.text, hint=hint, what=replace(rule, hint=""))]

    def python_alone(self, case: Case) -> str:
        return "reads the source as Python"

    def undrawn(self, case: Case) -> str | None:
        return self.name

    def alone(
        self, case: Case, module: str, texts: Mapping[str, str], task: Task, replayed: CaseResult
    ) -> "Standalone":
        from grader.reports.standalone import NotStandalone

        raise NotStandalone("this case reads the source, and runs nothing")

    def rule(self, what: Rule) -> Rule:
        return what

    def judge(self, case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
        # What a rule says is known before; only one that is left out has an outcome.
        return judge_ending(case, outcome)

    def written(self, case: Case, writer: "Writer") -> dict[str, object]:
        from grader.spec.writing.rules import rule_keys

        assert isinstance(case.what, Rule)
        return {"rule": rule_keys(case.what, with_hint=False)}


KIND = RuleCases()
