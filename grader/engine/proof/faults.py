"""The faults of a spec that show when its reference is marked.  Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from grader.engine.proof.marking import ReferenceMarks
from grader.judge.finding import UNJUDGED
from grader.judge.messages import for_call, raised_message
from grader.model.case import Call, Case, Raises, SameAsReference
from grader.model.kinds import calls_of, kind_of
from grader.model.outcome import Answer, RaisedAnswer
from grader.model.task import Task
from grader.model.verdict import WITH_AN_ANSWER, Verdict
from grader.values.walk import first_non_data

_REFUSED = re.compile(
    r"^(?P<before>.*?)can't be called like this: (?P<reason>\S+\(\) (missing|takes|got) .*)$", re.DOTALL
)
"""The message about a call whose arguments do not fit."""
_RAISED = re.compile(r"(?:^|(?<=: ))raised ")
_NOT_JUDGED = ("the case could not be judged (", f"{UNJUDGED} (")
_NOT_RUN = "the case could not be run ("
_ASKED = re.compile(r"(checker|player) (?P<function>\w+) ")
"""The message about a case in which a function of the checkers file failed."""
_ITERATOR = re.compile(r"\b(generator|map|filter|zip|enumerate|reversed|\w+_iterator)\b")
_NO_DATA = "not plain data"
_DATA_HINT = "name its class under `types`, or compare a part of it with `reads`"
_LIST_HINT = "an iterator is no data: call list(…) of it, such as list(f(3))"
_RAISES_HINT = "an exception is right only where the spec says `raises`"
_DIFFERS_HINT = "the same call gave another answer: does it keep state, read the clock, draw random numbers?"


@dataclass(frozen=True, slots=True)
class ReferenceFault:
    """One fault.

    case: the id of the case that it was found in; empty for a rule of the task, or the task as a whole.
    step: the number of a scenario's step, from 1; 0 for none.
    expected: it concerns what the case expects, rather than what it calls.
    rule: the number of a rule of the task, from 1; 0 for none.
    file, line: where a function of the checkers file failed; empty and 0 for none.
    """

    message: str
    hint: str = ""
    case: str = ""
    step: int = 0
    expected: bool = False
    rule: int = 0
    file: str = ""
    line: int = 0


def faults_of(task: Task, marks: ReferenceMarks) -> tuple[ReferenceFault, ...]:
    """Return all faults, in the order of the spec; a function that fails often is one fault."""
    found = [*_of_rules(marks), *_of_budget(task, marks)]
    for case in task.cases:
        found += _of_case(task, case, marks)
    return tuple(_together(found))


def _of_rules(marks: ReferenceMarks) -> Iterator[ReferenceFault]:
    for number, rule in enumerate(marks.rules, 1):
        if rule.findings:
            first = rule.findings[0]
            place = f"{first.file} line {first.line}" if first.line else first.file
            message = f"the reference breaks the rule `{rule.rule}`: {place}: {first.message}"
            yield ReferenceFault(message, rule=number)


def _of_budget(task: Task, marks: ReferenceMarks) -> Iterator[ReferenceFault]:
    needed_s = sum(result.cpu_s for result in marks.cases.values())
    if needed_s > task.budget_s:
        message = (
            f"the reference needs {needed_s:.3g} s of computing; a submission may use {task.budget_s:g} s"
        )
        yield ReferenceFault(message, "raise `budget`, or make the cases smaller")


def _of_case(task: Task, case: Case, marks: ReferenceMarks) -> Iterator[ReferenceFault]:
    result = marks.cases[case.id]
    if result.verdict is Verdict.LOAD_ERROR and kind_of(case).runs:
        yield ReferenceFault(f"the reference cannot be loaded: {result.message}", case=case.id)
        return
    of_answers = list(_of_expected(task, case, marks))
    # The programs that tests are tried on are steps of the result, and none of the spec's.
    expects = calls_of(case).expects
    if of_answers:
        yield from of_answers
    elif result.verdict is Verdict.INTERNAL_ERROR:
        yield from _not_judged(case, result.message, marks)
    elif len(expects) == len(result.steps) and any(done.message for done in result.steps):
        for number, (expect, judged) in enumerate(zip(expects, result.steps, strict=True), 1):
            if judged.verdict not in (Verdict.ACCEPTED, Verdict.SKIPPED):
                where = f"step {number} of {case.id}"
                fault = _not_passed(case, where, judged.verdict, judged.message, expect)
                yield replace(fault, step=number)
    elif result.verdict is not Verdict.ACCEPTED:
        yield _not_passed(case, case.id, result.verdict, result.message, calls_of(case).decides)


def _not_passed(case: Case, where: str, verdict: Verdict, message: str, expect: object) -> ReferenceFault:
    """Return the fault of a case or step that the reference does not pass.  expect: that of the step."""
    raises = isinstance(expect, Raises)
    refused = _REFUSED.match(message)
    if refused is not None:
        text = f"the reference does not take the call in {where}: {refused['before']}{refused['reason']}"
        return ReferenceFault(text, case=case.id)
    if verdict is Verdict.EXCEPTION and not raises:
        raised = _RAISED.sub("", message, 1)
        return ReferenceFault(f"the reference raises in {where}: {raised}", _RAISES_HINT, case.id)
    if verdict is Verdict.RULE_BROKEN:
        return ReferenceFault(f"the reference breaks the rule of {where}: {message}", case=case.id)
    of_answer = verdict in WITH_AN_ANSWER or raises
    hint = _DIFFERS_HINT if of_answer and isinstance(expect, SameAsReference) else ""
    text = f"the reference does not pass {where}: {message}"
    return ReferenceFault(text, hint or _no_data_hint(message), case.id, expected=of_answer)


def _no_data_hint(words: str) -> str:
    """Return how an answer that is no data can be compared; empty where the words tell of none."""
    if _NO_DATA not in words:
        return ""
    return _LIST_HINT if _ITERATOR.search(words) else _DATA_HINT


def _not_judged(case: Case, message: str, marks: ReferenceMarks) -> Iterator[ReferenceFault]:
    """Yield the fault of a case in which the spec's own code failed; none where the sandbox failed."""
    begin = next((words for words in (*_NOT_JUDGED, _NOT_RUN) if message.startswith(words)), "")
    reason = message.removeprefix(begin).removesuffix(")")
    if message.startswith(_NOT_JUDGED) or _ASKED.match(reason):
        yield _of_own_code(case, reason, marks)


def _of_own_code(case: Case, reason: str, marks: ReferenceMarks) -> ReferenceFault:
    asked = _ASKED.match(reason)
    file, line = marks.failed_at.get(asked["function"], ("", 0)) if asked is not None else ("", 0)
    message = f"the reference's answer to {case.id} cannot be judged: {reason}"
    return ReferenceFault(message, case=case.id, expected=True, file=file, line=line)


def _of_expected(task: Task, case: Case, marks: ReferenceMarks) -> Iterator[ReferenceFault]:
    """Yield the faults of the reference's answers that are to serve as expected answers."""
    expected = marks.expectations.get(case.id)
    if expected is None:
        return
    if expected.failure:
        text = expected.failure.removeprefix("reference: ")
        no_answer = f"the reference gives no answer to {case.id}: {text}"
        asked = _ASKED.match(text) is not None
        yield (
            _of_own_code(case, text, marks)
            if asked
            else ReferenceFault(no_answer, case=case.id, expected=True)
        )
        return
    kind, what = kind_of(case), calls_of(case)
    asked_for = zip(what.calls, what.expects, expected.answers, strict=False)
    for number, (call, expect, answer) in enumerate(asked_for, 1):
        if not isinstance(expect, SameAsReference):
            continue
        step = number if kind.names_steps(case) else 0
        fault = _of_answer(task, case, call, answer, step)
        if fault is not None:
            yield fault
            if not step:
                return


def _of_answer(task: Task, case: Case, call: Call, answer: Answer, step: int) -> ReferenceFault | None:
    """Return the fault of one answer.  step: its number in a scenario, else 0."""
    where = f"step {step} of {case.id}" if step else case.id
    if isinstance(answer, RaisedAnswer):
        message = raised_message(answer)
        told = message if step else for_call(calls_of(case).calls, call, message)
        return replace(_not_passed(case, where, Verdict.EXCEPTION, told, None), step=step)
    problem = first_non_data(answer.value, task.types)
    if not problem:
        return None
    hint = _no_data_hint(problem) or _DATA_HINT
    return ReferenceFault(f"the reference's answer to {where} holds {problem}", hint, case.id, step)


def _together(faults: Iterable[ReferenceFault]) -> Iterator[ReferenceFault]:
    """Yield the faults; those of one cause as one, which counts the further cases.

    The cause is a line of the checkers file, or a message without the id of a case.
    """
    alike: dict[tuple[str, int], list[ReferenceFault]] = {}
    for fault in faults:
        alike.setdefault((fault.file or fault.message, fault.line), []).append(fault)
    for first, *others in alike.values():
        more = f" (and in {len(others)} more case{'s' if len(others) > 1 else ''})" if others else ""
        yield replace(first, message=f"{first.message}{more}")
