"""A task of two questions: one with cases, worth 2, and one that people mark, worth 3."""

from fractions import Fraction

from grader.model.task import Award, Criterion, Question, Task


def task_with(criteria: tuple[Criterion, ...]) -> Task:
    """Return the task.  criteria: of question `r`; they are worth 3 together."""
    return Task(
        id="t",
        title="T",
        marks=Fraction(5),
        modules=(("m", "m.py"),),
        questions=(
            Question(id="1", title="", module="m", marks=Fraction(2), award=Award.ALL, cases=()),
            Question(
                id="r", title="", module="", marks=Fraction(3), award=Award.ALL, cases=(), criteria=criteria
            ),
        ),
    )
