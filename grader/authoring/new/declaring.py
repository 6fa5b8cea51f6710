"""Declares the marks and verdicts of the wrong program that a new task comes with."""

from grader.marking.rounding import format_mark
from grader.model.results import SubmissionResult
from grader.model.verdict import Verdict


def declaration(name: str, result: SubmissionResult) -> str:
    """Return what a wrong program must get, which is what it got.  name: of its folder."""
    questions = ", ".join(f'"{each.id}": "{format_mark(each.mark)}"' for each in result.questions)
    verdicts = [
        next(case for case in question.cases if case.verdict is not Verdict.ACCEPTED)
        for question in result.questions
        if any(case.verdict is not Verdict.ACCEPTED for case in question.cases)
    ]
    return "\n".join(
        [
            "# What the programs beside this file must get: `grader try` compares it.  Add a folder for each",
            "# mistake that a student could make.",
            "",
            f"{name}:  # Every function is there, and does nothing.",
            f'  mark: "{format_mark(result.mark)}"',
            f"  questions: {{{questions}}}",
            "  verdicts:",
            *(f'    "{case.id}": {case.verdict}' for case in verdicts),
            "",
        ]
    )
