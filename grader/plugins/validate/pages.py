"""Writes the page of a validation."""

from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.model.validation import Validation
from grader.reports.foreign import check_file
from grader.reports.html.validation import validation_page
from grader.reports.written_pages import INDEX
from grader.store.whole_file import replace_text


def write_validation(folder: Path, validation: Validation) -> Path:
    """Write the page of a validation into a folder; return its path.

    Raises `UsageError`, also where another file of that name is no page of ours.
    """
    page = folder / INDEX
    check_file(page)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_text(page, validation_page(validation))
    except OSError as error:
        raise UsageError(Fault(f"the page cannot be written: {error.strerror}", where=str(page))) from error
    return page
