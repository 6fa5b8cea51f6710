"""An override of a mark, ready to be copied into a file of reviews."""

from grader.reports.views.submission.submission import SubmissionView
from grader.yamlfile.quoting import in_quotes, quoted

_DIGITS = 16


def override_snippet(view: SubmissionView) -> str:
    """Return a review of the student as YAML: the questions that lose marks, else the whole mark.

    Author and reason are blank, and the grader asks for them: nothing is overridden by mistake.
    """
    losing = [question for question in view.questions if question.loses]
    work = [f"  work: {in_quotes(view.sha256[:_DIGITS])}"] if view.sha256 else []
    lines = [f"- student: {quoted(view.id)}", "  by:", *work, "  overrides:"]
    for number, question in enumerate(losing or [None]):
        if question is None:
            entry = [f"marks: {view.max_mark}   # the whole mark; it was {view.mark}", "reason:"]
        else:
            was = f"it was {question.mark} of {question.max_mark}"
            entry = [f"question: {quoted(question.id)}", f"marks: {question.max_mark}   # {was}", "reason:"]
        sign = "#" if number else " "
        lines += [f"   {sign}{'  ' if place else '- '}{line}" for place, line in enumerate(entry)]
    return "\n".join(lines) + "\n"
