"""What a case inherits from its question and its task."""

from dataclasses import dataclass
from fractions import Fraction

from grader.model.case import Pace, Rendering, Visibility
from grader.spec.decode.cases.around import ReadAround
from grader.spec.decode.cases.harness import ReadHarness
from grader.spec.decode.of_task.limits import InheritedLimits


@dataclass(frozen=True, slots=True)
class Inherited:
    """The values that a case inherits from its question and its task.

    question: the question's id; empty if it was reported.  module: None if it was reported.
    budget_s: CPU seconds for a whole submission; None where the spec does not state them.
    pace: the question's pace, if it states one.
    picture: the question's picture, if it states one.
    harness: the question's harness, if it states one.  around: the code around its module, if it states any.
    """

    question: str
    module: str | None
    visibility: Visibility
    limits: InheritedLimits
    budget_s: Fraction | None
    pace: Pace | None = None
    picture: Rendering | None = None
    harness: ReadHarness | None = None
    around: ReadAround | None = None
