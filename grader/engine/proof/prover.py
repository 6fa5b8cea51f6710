"""Proves a spec before a run: asks for an earlier proof, or marks the reference, and tells the faults.

A proof is kept by the digest of everything that it depends on: the spec with its reference and checkers, our
own code, the Python, the sandbox.  So the next run pays nothing for it.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from grader.engine.proof.faults import ReferenceFault, faults_of
from grader.engine.proof.marking import ReferenceMarks
from grader.lab.run_inputs import Expectations
from grader.model.errors import Fault, SpecNotProven
from grader.model.task import Task
from grader.spec.places import Places
from grader.yamlfile.source import Source, Span

_MOST_TOLD = 50
NO_FAULTS = "[]"
"""The proof of a spec without faults, as text."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of a proof.

    faults: of the spec; none if it is proven.
    expectations: the reference's answers; None if the proof was kept from an earlier run.
    kept: the proof as text, for the next run; empty if it was kept already.
    """

    faults: tuple[Fault, ...] = ()
    expectations: Expectations | None = None
    kept: str = ""


def no_proof(_: str) -> str:
    """Return no proof: there was no earlier run."""
    return ""


@dataclass(frozen=True, slots=True)
class Prover:
    """Proves a task.

    places: of the task in its spec.  anyway: a spec with faults is no reason to stop.
    known: returns an earlier proof as text, given its key; empty if there is none.
    """

    places: Places = field(default_factory=Places)
    anyway: bool = False
    known: Callable[[str], str] = no_proof

    def prove(self, task: Task, key: str, mark: Callable[[], ReferenceMarks]) -> Proof:
        """Return the proof of a task.  Raises `SpecNotProven` with all faults.

        mark: marks the reference.
        """
        if task.reference is None:
            return Proof()
        known = _read(self.known(key))
        if known is not None:
            return self._checked(Proof(self._told(task, known)))
        marks = mark()
        faults = faults_of(task, marks)
        return self._checked(Proof(self._told(task, faults), marks.expectations, _written(faults)))

    def _checked(self, proof: Proof) -> Proof:
        if proof.faults and not self.anyway:
            raise SpecNotProven(*proof.faults)
        return proof

    def _told(self, task: Task, faults: Iterable[ReferenceFault]) -> tuple[Fault, ...]:
        found = [_with_place(task, self.places, fault) for fault in faults]
        if len(found) > _MOST_TOLD:
            more = Fault(f"{len(found) - _MOST_TOLD} more faults are not shown", self.places.name)
            found = [*found[:_MOST_TOLD], more]
        return tuple(found)


def _with_place(task: Task, places: Places, fault: ReferenceFault) -> Fault:
    """Return a fault with its place in the spec, or in the checkers file."""
    code = task.checkers
    if fault.file and code is not None and fault.file.removesuffix(".py") in code.texts:
        source = Source(_shown(code.path), code.texts[fault.file.removesuffix(".py")])
        line = source.line(fault.line)
        start = source.offset(fault.line, len(line) - len(line.lstrip()) + 1)
        return source.fault(Span(start, start + len(line.strip())), fault.message, fault.hint)
    if fault.case in places.cases:
        place = places.cases[fault.case]
        return place.fault(fault.message, fault.hint, step=fault.step, expected=fault.expected)
    if 0 < fault.rule <= len(places.rules):
        source, span = places.rules[fault.rule - 1]
        return source.fault(span, fault.message, fault.hint)
    return Fault(fault.message, places.name, hint=fault.hint)


def _shown(path: Path) -> str:
    """Return a path for messages, relative to the working directory if it lies below it."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _written(faults: Iterable[ReferenceFault]) -> str:
    return json.dumps([asdict(fault) for fault in faults])


def _read(text: str) -> tuple[ReferenceFault, ...] | None:
    """Return the faults of a proof; None if the text is none."""
    try:
        return tuple(ReferenceFault(**plain) for plain in json.loads(text)) if text else None
    except (ValueError, TypeError):
        return None
