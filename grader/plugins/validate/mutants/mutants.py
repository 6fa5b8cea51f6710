"""Makes the mutants of a task: its reference with one fault put in, each fault a student's or a standard one.

The most telling come first, so that a part of the list from its beginning is a fair sample: near functions
before far ones, and in turns over functions and operators.
"""

import ast
import hashlib
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import count

from grader.model.task import Task
from grader.model.validation import Mutant
from grader.plugins.validate.mutants.code import CodeFault, Unit, applied
from grader.plugins.validate.mutants.operators import (
    answers,
    exceptions,
    forgotten,
    loops,
    names,
    numbers,
    standard,
    state,
    texts,
)
from grader.plugins.validate.mutants.reach import program_of, units_of

MOST = 400
"""The most mutants of a task.  More of one reference tell little more, and take their time."""

OPERATORS: tuple[Callable[[Unit], Iterator[CodeFault]], ...] = (
    answers.examples_only,
    numbers.off_by_one,
    numbers.boundary,
    forgotten.item,
    forgotten.branch,
    forgotten.condition,
    forgotten.term,
    answers.answer_order,
    answers.answer_type,
    answers.answer_off_by_one,
    state.changed_argument,
    loops.more_turns,
    loops.recursion,
    loops.early_end,
    names.swapped,
    names.fields,
    exceptions.raises,
    exceptions.handlers,
    numbers.other_end,
    numbers.division,
    numbers.identity,
    forgotten.step,
    forgotten.call,
    state.no_copy,
    state.kept_state,
    state.memo,
    state.class_state,
    texts.printed_text,
    texts.print_options,
    texts.careless,
    answers.not_returned,
    standard.standard,
)
"""Students' faults first: of two operators that make the same program, the first gives it its name."""


def mutants_of(task: Task, most: int = MOST) -> list[Mutant]:
    """Return the mutants of a task's reference, the most telling first; none if it has no reference.

    most: the greatest number of them.
    """
    sources = program_of(task)
    made = [(unit, _in_turns(_mutants(unit, sources))) for unit in units_of(task)]
    return _spread(made)[:most]


def _mutants(unit: Unit, sources: dict[str, str]) -> Iterator[Mutant]:
    """Yield the mutants of a unit, each program once; all of them parse, and none is the reference."""
    seen = {_dump(unit, unit.module.text)}
    numbers_of: dict[tuple[str, str, str], Iterator[int]] = defaultdict(lambda: count(1))
    for operator in OPERATORS:
        for fault in operator(unit):
            text = applied(unit.module.text, fault.edits)
            dump = _dump(unit, text)
            if dump is None or dump in seen:
                continue
            seen.add(dump)
            before, after = _changed_lines(unit, fault)
            first = unit.module.span(unit.node)[0] if fault.summary else min(fault.edits).start
            number = next(numbers_of[fault.operator, before, after])
            digest = hashlib.sha256("\n".join([before, after, str(number)]).encode()).hexdigest()[:8]
            place = f"{unit.module.name}.{unit.name}".rstrip(".")
            yield Mutant(
                id=f"{place}/{fault.operator}/{digest}",
                operator=fault.operator,
                module=unit.module.name,
                function=unit.name,
                line=unit.module.line_of(first),
                before=before,
                after=after,
                sources=sources | {unit.module.name: text},
            )


def _dump(unit: Unit, text: str) -> str | None:
    """Return the tree of a unit in a changed text, as text; None if Python refuses it."""
    start, end = unit.module.span(unit.node)
    end += len(text) - len(unit.module.text)
    indent = " " * unit.node.col_offset
    source = ("class _:\n" if indent else "") + indent + text[start:end] + "\n"
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
            compile(tree, "reference", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return ast.dump(tree)


def _changed_lines(unit: Unit, fault: CodeFault) -> tuple[str, str]:
    """Return the lines that a fault changes, before and after, each as one line; or its summary."""
    text = unit.module.text
    if fault.summary:
        return unit.head, fault.summary
    start = text.rfind("\n", 0, min(edit.start for edit in fault.edits)) + 1
    end = max(edit.end for edit in fault.edits)
    end = len(text) if (found := text.find("\n", end)) < 0 else found
    after = applied(text, fault.edits)
    after = after[start : end + len(after) - len(text)]
    before = _one_line(text[start:end])
    return before, _one_line(after)


def _one_line(text: str) -> str:
    return " ".join(text.split())


# -- order -----------------------------------------------------------------------------------------


def _in_turns(mutants: Iterator[Mutant]) -> list[Mutant]:
    """Return mutants of a unit, one of each operator in turns, in the operators' order."""
    by_operator: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_operator[mutant.operator].append(mutant)
    return [
        each[turn]
        for turn in range(max(map(len, by_operator.values()), default=0))
        for each in by_operator.values()
        if turn < len(each)
    ]


def _spread(made: list[tuple[Unit, list[Mutant]]]) -> list[Mutant]:
    """Return the mutants of all units, in turns; a unit has half as many turns as those that call it."""
    ranked = [
        ((position + 1) << unit.depth, place, mutant)
        for place, (unit, mutants) in enumerate(made)
        for position, mutant in enumerate(mutants)
    ]
    return [mutant for _, _, mutant in sorted(ranked, key=lambda each: each[:2])]
