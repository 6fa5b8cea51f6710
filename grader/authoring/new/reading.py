"""Reads what a task is started from: a reference's modules, and a question for each public name in them."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.authoring.new.doctests import docstring_cases
from grader.authoring.new.drafts import AnswerForm, LeftOut, NewCase, NewQuestion, NewStep, Note
from grader.authoring.new.examples import Examples
from grader.authoring.new.guesses import guessed_calls, guessed_inputs, guessed_scenario
from grader.authoring.new.source import Class, Module, read_module
from grader.model.errors import Fault, UsageError
from grader.records.file_text import read_text

_NOT_MODULES = re.compile(r"(test_.*|.*_test|conftest|setup|__init__|__main__)")


def read_modules(path: Path, note: Note) -> list[Module]:
    """Return the modules of a reference, a file or a folder.  Raises `UsageError`."""
    if path.is_dir():
        files = sorted(path.glob("*.py"))
        files = [each for each in files if not _NOT_MODULES.fullmatch(each.stem)]
        others = sorted(
            each.name for each in path.iterdir() if each not in files and each.name[0] not in "._"
        )
        if others:
            note(f"left out of the reference: {', '.join(others)}")
    else:
        files = [path]
    if not files:
        raise UsageError(Fault("this folder holds no Python module", str(path)))
    for file in files:
        if file.suffix != ".py" or not file.stem.isidentifier():
            hint = "name it with letters, digits and underscores, such as leap_year.py"
            raise UsageError(
                Fault("a reference must be a .py file that Python can import", str(file), hint=hint)
            )
    return [read_module(file, file.stem, read_text(file, "the reference")) for file in files]


def python_name(task: str) -> str:
    """Return the module's name that goes with a task's id."""
    name = task.replace("-", "_")
    return name if name.isidentifier() else f"task_{name}"


def question_drafts(modules: Sequence[Module], examples: Examples, note: Note) -> list[NewQuestion]:
    """Return a question for each public function and class, with its examples or guesses."""
    given: dict[str, list[NewCase]] = {}
    for case in examples.cases:
        given.setdefault(_function_of(case), []).append(case)
    drafts = []
    for module in modules:
        classes = frozenset(each.name for each in module.classes)
        name = f"{module.name}.py"
        if module.is_program or module.reads:
            drafts.append(NewQuestion(f"the program {name}", module.name, tuple(guessed_inputs(module))))
        for function in () if module.is_program else module.functions:
            if module.reads and function.name == "main":
                continue
            left = LeftOut(note, examples.left_out[function.name])
            own = docstring_cases(function.docstring, function.docstring_line, name, classes, left)
            cases = [*own, *given.pop(function.name, [])] or guessed_calls(function, module)
            kept = tuple(_without_repetitions(cases, left))
            drafts.append(NewQuestion(function.name, module.name, kept, left.count, tuple(left.remarks)))
        for made in module.classes:
            drafts += _class_draft(made, module, note)
    for name, cases in given.items():
        if modules:
            note(f"{cases[0].origin}: the reference has no function {name}")
        else:
            module_name = examples.modules.get(name, "")
            drafts.append(NewQuestion(name, module_name, tuple(cases), examples.left_out[name]))
    return drafts


def _without_repetitions(cases: Sequence[NewCase], left: LeftOut) -> Iterator[NewCase]:
    """Yield cases of different calls; tell of those that state another answer than the one before."""
    first: dict[tuple[str, ...], list[tuple[bool, str] | None]] = {}
    for each in cases:
        call = tuple(step.text for step in each.steps)
        if call not in first:
            first[call] = _answers(each.steps)
            yield each
        elif _answers(each.steps) != first[call]:
            reason = "the same call is said to give another answer before"
            left(f"{each.origin}: this example is left out: {reason}")


def _answers(steps: Sequence[NewStep]) -> list[tuple[bool, str] | None]:
    """Return what the answers of steps are said to be, whether a docstring says it or a file."""
    said = (step.said for step in steps)
    return [(one.kind is AnswerForm.RAISES, one.plain.strip()) if one is not None else None for one in said]


def _function_of(case: NewCase) -> str:
    return case.steps[0].text.partition("(")[0]


def _class_draft(made: Class, module: Module, note: Note) -> list[NewQuestion]:
    if made.is_data and not made.methods:
        return []
    name, classes = f"{module.name}.py", frozenset(each.name for each in module.classes)
    texts = [(made.docstring, made.docstring_line)]
    texts += [(each.docstring, each.docstring_line) for each in made.methods]
    left = LeftOut(note)
    cases = [case for text, line in texts for case in docstring_cases(text, line, name, classes, left)]
    if not cases and not made.methods:
        return []  # an exception, mostly
    found = tuple(cases or guessed_scenario(made, module))
    return [NewQuestion(f"the class {made.name}", module.name, found, left.count, tuple(left.remarks))]
