"""For a kind of case: its protocol, and the records that it deals in.

Its entry point names `KIND`, the object, in a module that has a module `keys` beside it, with `KEYS`;
`grader.api.keys` is for that one.

A kind that calls functions extends `CallingKind` and answers `read`, `calls_of`, `judge`, `written` (for
handouts) and `undrawn`; the other questions have answers there.  One that runs something else extends
`Kind`, and answers `run` too.

`Returned.value` is hostile, and plain data: a value of exactly `int`, `float`, `str`, `bytes`, `bool`,
`None`, `list`, `tuple`, `set`, `dict` or a class of the library, or a stand-in for anything else.  So no
code of a student's runs when it is looked at.  `Call.args` holds such values, and stand-ins for lambdas and
callbacks.
"""

from grader.judge.endings import judge_ending
from grader.judge.finding import Checkers, CheckFailed, Expected, Finding, OwnFault
from grader.kinds.calling import CallingKind
from grader.kinds.kind import Kind, Unfit
from grader.lab.lab import Lab
from grader.lab.oracle import Oracle
from grader.lab.turn import CaseTurn
from grader.model.case import Call, Calls, Case, Comparison, Step
from grader.model.kinds import What, calls_of
from grader.model.outcome import Answer, Ending, Outcome, RaisedAnswer, Returned
from grader.model.results import CaseResult, Difference, Raised
from grader.model.submission import Submission
from grader.model.task import Question, Task
from grader.model.values import DeclaredType, Value
from grader.model.verdict import Verdict
from grader.reports.standalone import NotStandalone, Standalone
from grader.sandbox.evidence import Evidence
from grader.spec.decode.calling.calls import decode_calls
from grader.spec.decode.inherited import Inherited
from grader.spec.expressions.context import Context
from grader.spec.writing.cases import Writer
from grader.values.compare import first_difference
from grader.values.show import show
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting


def read_call(fields: Fields, key: str, context: Context, inherited: Inherited) -> tuple[Call, str]:
    """Return the call that a key states, such as `f(1, [2])`, and its text for people.

    Its function and the number of its arguments are compared with the reference's.  Raises Unusable.
    """
    calls = decode_calls(fields, key, context, {}, context.reference.get(inherited.module or ""))
    if len(calls.calls) != 1:
        fields.report(key, f"`{key}` takes a single call")
        raise Unusable
    return calls.calls[0], calls.text


__all__ = [
    "Answer",
    "Call",
    "CallingKind",
    "Calls",
    "Case",
    "CaseResult",
    "CaseTurn",
    "CheckFailed",
    "Checkers",
    "Comparison",
    "Context",
    "DeclaredType",
    "Difference",
    "Ending",
    "Evidence",
    "Expected",
    "Fields",
    "Finding",
    "Inherited",
    "Kind",
    "Lab",
    "NotStandalone",
    "Oracle",
    "Outcome",
    "OwnFault",
    "Question",
    "Raised",
    "RaisedAnswer",
    "Returned",
    "Standalone",
    "Step",
    "Submission",
    "Task",
    "Unfit",
    "Unusable",
    "Value",
    "Verdict",
    "What",
    "Writer",
    "calls_of",
    "collecting",
    "decode_calls",
    "first_difference",
    "judge_ending",
    "read_call",
    "show",
]
