"""A function that must have the same answer each time it is called with the same arguments."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from grader.api.kinds import (
    Call,
    CallingKind,
    Calls,
    Case,
    Checkers,
    Context,
    Ending,
    Expected,
    Fields,
    Finding,
    Inherited,
    Outcome,
    Returned,
    Step,
    Verdict,
    What,
    Writer,
    first_difference,
    judge_ending,
    read_call,
    show,
)


@dataclass(frozen=True, slots=True)
class Stable(What):
    """A call that is made several times."""

    kind_name = "stable"
    call: Call
    times: int


class StableCases(CallingKind[Stable]):
    """A call that must have the same answer each time."""

    name = "stable"

    def read(self, fields: Fields, common: Case, context: Context, inherited: Inherited) -> Sequence[Case]:
        call, text = read_call(fields, "stable", context, inherited)
        return [replace(common, text=text, what=Stable(call, fields["times"]))]

    def calls_of(self, case: Case) -> Calls:
        return Calls(steps=(Step(case.what.call),) * case.what.times)

    def undrawn(self, case: Case) -> str:
        return "stable"

    def written(self, case: Case, writer: Writer) -> dict[str, object]:
        return {"stable": writer.call(case.what.call), "times": case.what.times}

    def judge(self, case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
        if outcome.ending is not Ending.ANSWERED:
            return judge_ending(case, outcome)
        values = [answer.value for answer in outcome.answers if isinstance(answer, Returned)]
        if len(values) < len(outcome.answers):
            raised = next(answer.raised for answer in outcome.answers if not isinstance(answer, Returned))
            return Finding(verdict=Verdict.EXCEPTION, message=f"raised {raised.type_name}", raised=raised)
        for number, value in enumerate(values[1:], 2):
            if first_difference(values[0], value) is not None:
                return Finding(
                    verdict=Verdict.WRONG_ANSWER,
                    message=f"call {number} has another answer than the first one",
                    expected=show(values[0]),
                    actual=show(value),
                )
        return Finding(verdict=Verdict.ACCEPTED, score=1, actual=show(values[0]))


KIND = StableCases()
