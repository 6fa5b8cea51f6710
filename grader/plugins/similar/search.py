"""Finds works of a finished run that are alike, from the run's record alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from grader.doctor.doctor import strongest
from grader.engine.record import FinishedRun, recorded_task
from grader.model.errors import Fault, UsageError
from grader.plugins.similar.alignment import likeness
from grader.plugins.similar.comparison import Comparison, compare
from grader.plugins.similar.given import starter_texts
from grader.plugins.similar.scanner import Scanner
from grader.plugins.similar.works import GivenCode, works_of
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote


@dataclass(frozen=True, slots=True)
class SimilarWorks:
    """Works that are alike.

    unread: names of those that could not be scanned.  given: number of given files.
    """

    comparison: Comparison
    unread: tuple[str, ...]
    given: int


def finds_passages() -> bool:
    """Tell whether the library that aligns two works is installed."""
    return find_spec("rapidfuzz") is not None


def search(
    run: FinishedRun, starter: Sequence[Path], required: Driver, tell: Callable[[str], None]
) -> SimilarWorks:
    """Compare the works of a run.  tell: called with what is done next.  Raises `UsageError`, `NoSandbox`."""
    with run.record() as record:
        reference = recorded_task(record).reference
        published = list(reference.texts.values()) if reference is not None else []
        texts = starter_texts(record.spec(), starter)
        interpreter = find_interpreter("")
        driver = strongest(interpreter, required).driver
        tell("reading the sources in a sandbox")
        try:
            with Zygote(driver, interpreter) as zygote, Scanner(zygote) as scanner:
                works = works_of(run, record, scanner, GivenCode(scanner, texts, published))
        except SandboxFailure as error:
            raise UsageError(Fault(f"the sources cannot be compared: {error}")) from error
    tell("comparing them")
    align = likeness if finds_passages() else None
    comparison = compare(works.works, align, with_reference=bool(published))
    return SimilarWorks(comparison, works.unread, len(texts) + len(published))
