"""Results that may be computed once more before anybody sees them."""

from collections.abc import Callable
from pathlib import Path

from grader.engine.output_folder import RESULTS, refusing_to_write

IsSettled = Callable[[Path], bool]
"""Tells whether the results in a file stand."""
_UNSETTLED = ".unsettled.json"


def place_of(folder: Path, is_settled: IsSettled | None) -> Path:
    """Return where the results of a run are written; nobody sees those that have yet to be settled."""
    return folder / (RESULTS if is_settled is None else _UNSETTLED)


def published(folder: Path, is_settled: IsSettled | None) -> bool:
    """Publish the results that were written; tell whether they stand.  Raises `UsageError`."""
    if is_settled is None:
        return True
    results = place_of(folder, is_settled)
    try:
        if not is_settled(results):
            return False
        with refusing_to_write(folder):
            results.replace(folder / RESULTS)
        return True
    finally:
        results.unlink(missing_ok=True)
