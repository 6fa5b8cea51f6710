"""Mutants of small references, given as text."""

import textwrap
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from grader.model.case import Call, Calls, Case, Combine, Expectation, ProgramRun, Step, Visibility
from grader.model.task import Award, OwnCode, Question, Task
from grader.model.validation import Mutant
from grader.plugins.validate.mutants import mutants_of


def a_case(
    function: str,
    *calls: Sequence[object],
    expect: Expectation | None = None,
    combine: Combine | None = None,
    visibility: Visibility = Visibility.PUBLIC,
) -> Case:
    """Return a case of calls of one function, each given by its arguments."""
    made = tuple(Call(function, tuple(arguments), text=f"{function}(…)") for arguments in calls)
    if combine is None:
        what = Calls(steps=tuple(Step(call, expect) for call in made))
    else:
        what = Calls(steps=tuple(map(Step, made)), expect=expect, combine=combine)
    return Case(id="1.1", text=function, what=what, visibility=visibility)


def a_program(module: str = "work") -> Case:
    return Case(id="1.1", text=module, what=ProgramRun(module=module))


def a_task(reference: str | dict[str, str], *cases: Case, spec: Path = Path("sample.yaml")) -> Task:
    """Return a task with one question.  reference: the text of work.py, or texts by module."""
    texts = {"work": reference} if isinstance(reference, str) else reference
    question = Question(
        id="1",
        title="One",
        module="work",
        marks=Fraction(1),
        award=Award.EACH,
        cases=cases or (a_case("f", [1]),),
    )
    return Task(
        id="sample",
        title="Sample",
        marks=Fraction(1),
        questions=(question,),
        modules=tuple((name, f"{name}.py") for name in texts),
        reference=OwnCode(Path(), {name: textwrap.dedent(text) for name, text in texts.items()}),
        spec_path=spec,
    )


def mutants(reference: str | dict[str, str], *cases: Case) -> list[Mutant]:
    return mutants_of(a_task(reference, *cases))


def after(operator: str, reference: str, *cases: Case) -> set[str]:
    """Return what one operator makes of the lines that it changes."""
    return {mutant.after for mutant in mutants(reference, *cases) if mutant.operator == operator}


def bodies(operator: str, reference: str, *cases: Case) -> list[str]:
    """Return the whole programs that one operator makes."""
    return [m.sources["work"] for m in mutants(reference, *cases) if m.operator == operator]
