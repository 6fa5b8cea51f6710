"""Reads submissions, and checks a property that every reading must have."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from grader.intake import digest, discover, read
from grader.intake.discovery import ignore
from grader.model.submission import Submission


def collect(
    paths: Sequence[Path], modules: Mapping[str, str], on_note: Callable[[str], None] = ignore
) -> Iterator[Submission]:
    """Yield the submissions behind the paths, each read when it is asked for.

    The search itself is done at once: raises as `discover` does.
    """
    candidates = discover(paths, modules, on_note)

    def both_ways() -> Iterator[Submission]:
        for candidate in candidates:
            submission = read(candidate, modules)
            # The digest, on which a kept mark depends, is that of the text that was marked.
            assert digest(candidate, modules) == submission.sha256
            yield submission

    return both_ways()
