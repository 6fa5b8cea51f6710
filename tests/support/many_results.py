"""The results of many students: those of the sample again and again."""

from pathlib import Path

from grader.store.document import submission_document, to_document, write_json
from grader.store.document_types import ResultsDocument
from support.results_sample import RUN, TASK, submissions


def many_results(count: int) -> ResultsDocument:
    """Return the results of so many students."""
    known = [submission_document(each) for each in submissions()]
    document = to_document(RUN, TASK, [])
    document["submissions"] = [
        {**known[number % len(known)], "id": f"student-{number:05}"} for number in range(count)
    ]
    return document


def write_many_results(folder: Path, count: int) -> Path:
    """Write the results of so many students into a new folder; return it."""
    folder.mkdir()
    write_json(folder / "results.json", many_results(count))
    return folder
