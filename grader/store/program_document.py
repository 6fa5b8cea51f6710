"""What a program was given and said, as `results.json` has it: only for cases that run a program."""

from grader.model.results import CaseResult
from grader.store.document_types import CaseDocument
from grader.store.people_document import encodable


def add_program(document: CaseDocument, case: CaseResult) -> None:
    """Add to a case's document what its program was given, and its dialogue."""
    if case.given:
        document["given"] = [{"name": encodable(one.name), "text": encodable(one.text)} for one in case.given]
    if case.dialogue:
        document["dialogue"] = [
            {
                "number": turn.number,
                "said": encodable(turn.said),
                "answered": None if turn.answered is None else encodable(turn.answered),
                "ended": turn.ended,
                "wrong": turn.wrong,
            }
            for turn in case.dialogue
        ]
