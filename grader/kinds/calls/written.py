"""Calls as keys of the spec."""

from collections.abc import Sequence
from itertools import product

from grader.kinds.kind import Unfit
from grader.model.case import Call, Calls, Case, Check, Expectation, Returns
from grader.model.kinds import calls_of
from grader.spec.writing.cases import Writer, compared, printed, reads_of

_NAMES = "xyzuvwpqrstabcdefghijklmno"


def written(case: Case, writer: Writer) -> dict[str, object]:
    """Return what a case tries and what it expects, as keys of the spec.  Raises `Unfit`."""
    what = calls_of(case)
    if what.combine is not None:
        template, over = _loops(what.calls, writer)
        keys: dict[str, object] = {str(what.combine): template, "over": over}
        keys |= writer.expected_of(what.steps[0].call, what.expect)
        return keys | ({"unchanged": True} if what.unchanged else {})
    if what.generated is not None and (listed := _inputs(what, writer)):
        keys = listed
    elif what.apart:
        keys = {"scenario": [*map(writer.step, what.steps)]}
        if what.goes_on:
            keys["goes on"] = True
        keys |= writer.expected(what.expect)
    else:
        (step,) = what.steps
        keys = {"call": writer.call(step.call)} if step.call.function else {}
        keys |= writer.watch(what)
        keys |= writer.expected_of(step.call, step.expect)
        keys |= writer.plot(what.plot) if what.plot is not None else {}
        keys |= printed("prints", step.prints)
    if what.folder is not None:
        keys |= writer.files_of(what.folder.files, what.folder.keeps, what.folder.texts)
    if what.unchanged:
        keys["unchanged"] = True
    return keys


def _loops(calls: Sequence[Call], writer: Writer) -> tuple[str, dict[str, object]]:
    """Return one call that stands for all, and the names in it with their values.  Raises `Unfit`."""
    labels = [""] * len(calls[0].args) + [f"{name}=" for name, _ in calls[0].kwargs]
    rows = [[*map(writer.argument, [*call.args, *(value for _, value in call.kwargs)])] for call in calls]
    columns = list(zip(*rows, strict=True))
    varied = [place for place, column in enumerate(columns) if len(set(column)) > 1] or [0]
    values = [list(dict.fromkeys(columns[place])) for place in varied]
    if len(varied) == 1:
        values = [list(columns[varied[0]])]
    elif [tuple(row[place] for place in varied) for row in rows] != list(product(*values)):
        raise Unfit("its calls cannot be written in short")
    written = dict(zip(varied, _NAMES, strict=False))
    parts = [written.get(place, column[0]) for place, column in enumerate(columns)]
    over = {name: f"[{', '.join(each)}]" for name, each in zip(_NAMES, values, strict=False)}
    if calls[0].formula is not None:
        return calls[0].formula.written(parts), dict(over)
    call = ", ".join(f"{label}{part}" for label, part in zip(labels, parts, strict=True))
    return f"{calls[0].function}({call})", dict(over)


def _inputs(what: Calls, writer: Writer) -> dict[str, object]:
    """Return a generated case with its inputs listed; empty where its expectations are not all alike."""
    steps = what.steps
    first = steps[0].call
    labels = [""] * len(first.args) + [f"{name}=" for name, _ in first.kwargs]
    names = [f"x{number}" for number in range(1, len(labels) + 1)]
    used = {names[slot] for slot in first.formula.slots} if first.formula is not None else {*names}
    rows = [
        {
            name: writer.argument(value)
            for name, value in zip(names, call.arguments, strict=True)
            if name in used
        }
        for call in what.calls
    ]
    keys = writer.expected(steps[0].expect) | printed("prints", steps[0].prints)
    if any((step.expect, step.prints) != (steps[0].expect, steps[0].prints) for step in steps):
        keys = _expected_of_each(writer, [step.expect for step in steps], rows, reads_of(first))
    if not keys or any(step.prints != steps[0].prints for step in steps):
        return {}
    given = ", ".join(f"{label}{name}" for label, name in zip(labels, names, strict=True))
    call = first.formula.written(names) if first.formula is not None else f"{first.function}({given})"
    more: dict[str, object] = {"goes on": True} if what.goes_on else {}
    return {"call": call, "given": rows, **reads_of(first), **keys, **more}


def _expected_of_each(
    writer: Writer, expects: Sequence[Expectation | None], rows: Sequence[dict[str, str]], reads: object
) -> dict[str, object]:
    """Return what is expected, by names that it adds to the inputs; empty where the kinds differ."""
    match expects[0]:
        case Returns(value=value, comparison=comparison):
            for row, expect in zip(rows, expects, strict=True):
                if not isinstance(expect, Returns) or expect.comparison != comparison:
                    return {}
                row["answer"] = writer.value(expect.value)
                if reads and isinstance(expect.value, dict):
                    # What is read has a name for each of its texts.
                    del row["answer"]
                    row |= {
                        f"answer{n}": writer.value(each) for n, each in enumerate(expect.value.values(), 1)
                    }
            if reads and isinstance(value, dict):
                texts = {text: f"answer{n}" for n, text in enumerate(value, 1)}
                return {"returns": texts, **compared(comparison, value)}
            return {"returns": "answer", **compared(comparison, value)}
        case Check(checker=checker, arguments=arguments, any_sequence=any_sequence):
            for row, expect in zip(rows, expects, strict=True):
                if not isinstance(expect, Check) or expect.checker != checker:
                    return {}
                row |= {f"the_{name}": writer.value(value) for name, value in expect.arguments}
            given = ", ".join(f"{name}=the_{name}" for name, _ in arguments)
            keys: dict[str, object] = {"check": f"{checker}({given})"}
            return keys | ({"sequence": "any"} if any_sequence else {})
    return {}
