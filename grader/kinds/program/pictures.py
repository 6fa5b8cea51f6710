"""What a program did, as it is drawn."""

from collections.abc import Iterator

from grader.judge.finding import Expected
from grader.kinds.program.judge import program_answer
from grader.lab.pictures import Subject, is_due
from grader.model.case import ProgramRun
from grader.model.outcome import Outcome
from grader.model.results import CaseResult
from grader.model.values import Value


def subjects(
    run: ProgramRun, outcome: Outcome, expected: Expected | None, result: CaseResult
) -> Iterator[Subject]:
    """Yield what the program did, if it ended by itself."""
    picture = run.picture
    if picture is None or not is_due(picture, result.verdict):
        return
    actual = program_answer(run, outcome)
    if actual is not None:
        yield Subject(picture, actual, _expected(run, expected))


def _expected(run: ProgramRun, expected: Expected | None) -> Value:
    """Return the expected stdout in the shape of a program's answer; None if it is not known."""
    text = run.expect.stdout
    if text is None or not text.is_whole or run.talks:
        return None
    reference = expected.outcome if expected is not None else None
    said = text.value if text.value is not None else reference and reference.stdout
    return None if said is None else {"stdout": said}
