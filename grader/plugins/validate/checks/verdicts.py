"""Checks on what whole programs get: the reference, the programs beside the spec, and blank ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.authoring.programs import EXPECTED, Programs, declared_of, differences, marks_by_cases
from grader.marking.rounding import format_mark
from grader.model.kinds import kind_of
from grader.model.results import Status
from grader.model.task import Task
from grader.model.validation import Check, Gravity, Remark
from grader.model.verdict import Verdict
from grader.plugins.validate.work.crew import PendingJob

Facts = Mapping[str, Any]
"""The result of `jobs.result_facts`."""

_PASSED = (Verdict.ACCEPTED, Verdict.PARTIAL)
_MOST_NAMED = 6


def _question_of(task: Task, case_id: str) -> str:
    return next(q.id for q in task.questions if any(case.id == case_id for case in q.cases))


def reference_remarks(task: Task, facts: Facts) -> Iterator[Remark]:
    """Yield the cases that the reference does not pass, and the marks that it loses otherwise."""
    failed = False
    for case_id, case in facts["cases"].items():
        if case["verdict"] != Verdict.ACCEPTED:
            failed = True
            details = [("verdict", case["verdict"])]
            details += [(key, case[key]) for key in ("message", "expected", "actual") if case[key]]
            yield Remark(
                check=Check.REFERENCE,
                gravity=Gravity.FAULT,
                question=_question_of(task, case_id),
                case=case_id,
                text="the reference does not pass this case",
                details=tuple(details),
                hint="mend the spec or the reference: nobody who is right can pass it",
            )
    for reason, amount in facts["penalties"]:
        yield Remark(
            check=Check.REFERENCE,
            gravity=Gravity.FAULT,
            text=f"the reference loses {format_mark(Fraction(amount))} marks: {reason}",
        )
    if not failed and not facts["penalties"] and Fraction(facts["mark"]) != marks_by_cases(task):
        got, most = format_mark(Fraction(facts["mark"])), format_mark(marks_by_cases(task))
        yield Remark(
            check=Check.REFERENCE, gravity=Gravity.FAULT, text=f"the reference gets {got} of {most} marks"
        )


def growth_remarks(task: Task) -> Iterator[Remark]:
    """Yield the cases in which the growth of a time decides marks: students can shape it."""
    for question in task.questions:
        for case in question.cases:
            gain = kind_of(case).gain(case)
            if gain:
                marks = f"{format_mark(question.marks)} marks" if question.marks != 1 else "1 mark"
                yield Remark(
                    check=Check.FAILURES,
                    gravity=Gravity.ODD,
                    question=question.id,
                    case=case.id,
                    text=f"{gain}; this question has {marks}",
                    hint="leave `decides` out, so that it is a remark; or compare a large input by `pace`",
                )


def program_remarks(task: Task, programs: Programs, facts: Mapping[str, Facts]) -> Iterator[Remark]:
    """Yield the programs that do not get what is declared.  facts: by name, with `wrong/` or `right/`."""
    for name in sorted(programs.declared.keys() - programs.wrong.keys()):
        yield _of_program(f"{EXPECTED} declares {name}, but there is no such folder beside it", Gravity.FAULT)
    for name in programs.wrong:
        found = facts.get(f"wrong/{name}")
        if found is None:
            continue
        declaration = programs.declared.get(name)
        if declaration is None:
            hint = f"say in wrong/{EXPECTED} what it gets: mark {format_mark(Fraction(found['mark']))}"
            yield _of_program(f"wrong/{name} is not declared", Gravity.ODD, hint=hint)
        else:
            differing = tuple(differences(declared_of(found, declaration), declaration))
            if differing:
                details = tuple((what, f"declared {a}, got {b}") for what, a, b in differing)
                text = f"wrong/{name} does not get what is declared"
                yield _of_program(text, Gravity.FAULT, details=details)
        if Fraction(found["mark"]) >= marks_by_cases(task) > 0:
            yield _of_program(f"wrong/{name} gets every mark", Gravity.FAULT)
    for name in programs.right:
        found = facts.get(f"right/{name}")
        most = sum(
            question.marks for question in task.questions if found and question.id in found["questions"]
        )
        if found is not None and Fraction(found["mark"]) != most:
            failed = [(id, one) for id, one in found["cases"].items() if one["verdict"] != Verdict.ACCEPTED]
            details = tuple((id, f"{one['verdict']}: {one['message']}") for id, one in failed[:_MOST_NAMED])
            got = format_mark(Fraction(found["mark"]))
            text = f"right/{name} gets {got} of {format_mark(Fraction(most))} marks"
            yield _of_program(text, Gravity.FAULT, details=details)


@dataclass(frozen=True, slots=True)
class TriedProgram:
    """A wrong program that is tried on some of its cases alone.  verdicts: those declared, by case."""

    name: str
    verdicts: Mapping[str, str]
    begun: PendingJob


def tried_remarks(tried: Sequence[TriedProgram], results: Sequence[Any]) -> Iterator[Remark]:
    """Yield the tried programs whose verdicts are not as declared.  results: facts by case.

    Limits were shortened to some times what the reference needs, so a time limit that is met tells nothing.
    """
    for one, result in zip(tried, results, strict=True):
        details = tuple(
            (f"verdict {case}", f"declared {verdict}, got {result[case]['verdict']}")
            for case, verdict in one.verdicts.items()
            if result[case]["verdict"] not in (verdict, Verdict.TIME_LIMIT, Verdict.SKIPPED)
        )
        if details:
            text = f"wrong/{one.name} does not get what is declared"
            yield _of_program(text, Gravity.FAULT, details=details)


def _of_program(
    text: str, gravity: Gravity, *, hint: str = "", details: tuple[tuple[str, str], ...] = ()
) -> Remark:
    return Remark(check=Check.PROGRAMS, gravity=gravity, text=text, hint=hint, details=details)


def blank_remarks(task: Task, name: str, facts: Facts) -> Iterator[Remark]:
    """Yield the questions in which a blank program gets marks, and the other cases that it passes.

    name: of the program, in words.
    """
    if facts["status"] == Status.NO_SUBMISSION:
        return
    for question in task.questions:
        passed = [case.id for case in question.cases if facts["cases"][case.id]["verdict"] in _PASSED]
        mark = Fraction(facts["questions"][question.id])
        if passed and mark > 0:
            text = f"{name} gets {format_mark(mark)} of {format_mark(question.marks)} marks"
            gravity = Gravity.FAULT
        elif passed:
            text, gravity = f"{name} passes a case, though it gets no marks", Gravity.NOTE
        else:
            continue
        yield Remark(
            check=Check.BLANK,
            gravity=gravity,
            question=question.id,
            case=passed[0],
            text=text,
            details=(("it passes", _listed(passed)),),
        )


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def secret_remarks(task: Task, name: str, told: list[list[str]]) -> Iterator[Remark]:
    """Yield what the student's page of a program gives away."""
    for case_id, what, where in told:
        yield Remark(
            check=Check.SECRETS,
            gravity=Gravity.FAULT,
            question=_question_of(task, case_id),
            case=case_id,
            text=f"the student of {name} sees the {what} of this hidden case in {where}",
        )
