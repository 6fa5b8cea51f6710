"""Where marks were made: what a result's record says, and which results a machine had a part in."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches

from grader import __version__
from grader.engine.run_config import RunConfig
from grader.model.errors import Fault, UsageError
from grader.model.results import MarkOrigin, SubmissionResult
from grader.runtime.machine import this_machine
from grader.sandbox.interpreter import find_interpreter
from grader.store.results_json import submission_of
from grader.store.run_store import RunStore


def made_here(config: RunConfig) -> MarkOrigin:
    """Return what the record of a mark says that is made here."""
    python = find_interpreter(config.python).version
    return MarkOrigin(machine=this_machine(), driver=str(config.driver), python=python, grader=__version__)


def with_earlier(result: SubmissionResult, store: RunStore) -> SubmissionResult:
    """Return a result with the machines whose evidence it may rest on: those of the result before it."""
    made, earlier = result.made, made_before(store, result.id)
    if made is None or earlier is None or not store.evidence(result.id):
        return result
    others = {*earlier.evidence, earlier.where} - {made.where}
    return replace(result, made=replace(made, evidence=tuple(sorted(others))))


def made_before(store: RunStore, submission_id: str) -> MarkOrigin | None:
    """Return where a recorded result was made; None where nothing tells."""
    with suppress(ValueError):
        text = store.text(submission_id)
        return submission_of(text).made if text else None
    return None


def made_by(store: RunStore, machines: Sequence[str], known: Mapping[str, str]) -> set[str]:
    """Return the submissions whose recorded results one of these machines had a part in.

    known: the submissions that have a result.  Raises `UsageError` for a machine that had none.
    """
    by_name: dict[str, set[str]] = {}
    for submission_id in known:
        for name in _names(made_before(store, submission_id)):
            by_name.setdefault(name, set()).add(submission_id)
    for machine in machines:
        if machine not in by_name:
            raise UsageError(_unknown(machine, by_name))
    return {submission_id for machine in machines for submission_id in by_name[machine]}


def _names(made: MarkOrigin | None) -> Iterator[str]:
    """Yield all names of the machines of a result: with and without what tells two of one name apart."""
    for where in (made.where, *made.evidence) if made is not None else ():
        machine, _, worker = where.partition(" at ")
        yield from filter(None, (where, machine, machine.rpartition("/")[0], worker))
        host = worker.rpartition("://")[2].rpartition(":")[0].strip("[]")
        if host:
            yield host


def _unknown(machine: str, known: Mapping[str, Collection[str]]) -> Fault:
    near = (
        get_close_matches(machine, known, 3) or sorted(known, key=lambda name: (-len(known[name]), name))[:8]
    )
    hint = f"these did: {', '.join(near)}" if near else "no result in the record says where it was made"
    return Fault(f"no mark in the record was made by the machine {machine!r}", hint=hint)
