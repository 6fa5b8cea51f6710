"""The key `toolchains`: languages besides Python in which programs may be handed in."""

from collections.abc import Sequence

from grader.model.case import Case
from grader.model.task import Toolchain
from grader.spec.decode.drafts import QuestionDraft
from grader.worker.box.native import INPUT_MOST_B
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields


def decode_toolchains(fields: Fields, questions: Sequence[QuestionDraft]) -> tuple[Toolchain, ...]:
    """Return the toolchains; report those that are not known, and what no built program can do."""
    found = []
    for scalar in fields["toolchains"]:
        if scalar.text in list(Toolchain):
            found.append(Toolchain(scalar.text))
        else:
            message = f"`{shown(scalar.text)}` is no toolchain"
            hint = f"the toolchains are {', '.join(f'`{each}`' for each in Toolchain)}"
            fields.reporter.report(scalar.span, message, hint)
    if not found:
        return ()
    if fields.has("rules"):
        message = "a task with `toolchains` can't have `rules`, which read Python"
        fields.report_key("toolchains", message)
    for draft in (case for question in questions for case in question.cases):
        reason = _reason(draft.case) if draft.case is not None else ""
        if reason:
            message = f"this case {reason}, which a program of `toolchains` can't do"
            fields.reporter.report(draft.span, message)
    return tuple(dict.fromkeys(found))


def _reason(case: Case) -> str:
    """Return what a case needs that only Python can do here; "" for nothing."""
    run = case.program
    if case.rule is not None:
        return "reads the source as Python"
    if run is None:
        return "calls Python"
    if run.keeps:
        return "looks at the files that are left"
    if len(run.stdin.encode()) > INPUT_MOST_B:
        return f"reads more than {INPUT_MOST_B // 1024} KiB"
    return ""
