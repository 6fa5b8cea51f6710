"""Marks a batch on a cluster, step by step, so that something can be done to the workers meanwhile."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from grader.engine.run import mark_batch
from grader.intake import discover
from grader.model.events import Event, RunStarted, SubmissionMarked
from grader.model.results import RunInfo, RunResults, SubmissionResult, TaskHead
from grader.plugins.cluster.cluster import Cluster
from grader.plugins.cluster.link import Access
from grader.spec import load_task
from support.command_line import reproducible
from support.results_sample import as_json


class Following:
    """A run that is followed.  notes: messages to its user.  events: all that the front end sees."""

    def __init__(self, batch: Path, address: str, *, patience_s: float = 60.0) -> None:
        self.notes: list[str] = []
        self.events: list[Event] = []
        self.results: list[SubmissionResult] = []
        self._batch = batch
        self._task = load_task(batch / "spec" / "count.yaml")
        self._run: RunInfo | None = None
        self._cluster = (
            Cluster(Access(address), self.notes.append, patience_s=patience_s) if address else None
        )

    def steps(self) -> Iterator[SubmissionResult]:
        """Yield the results as they come."""
        candidates = discover([self._batch / "work"], dict(self._task.modules))
        try:
            with closing(mark_batch(self._task, candidates, machines=self._cluster)) as events:
                for event in events:
                    self.events.append(event)
                    if isinstance(event, RunStarted):
                        self._run = event.run
                    if isinstance(event, SubmissionMarked):
                        self.results.append(event.result)
                        yield event.result
        finally:
            if self._cluster is not None:
                self._cluster.close()

    def marks(self) -> str:
        """Return all that `results.json` would hold of it but times, memory and the run's id."""
        assert self._run is not None
        ordered = sorted(self.results, key=lambda result: result.id)
        return json.dumps(reproducible(as_json(RunResults(self._run, TaskHead.of(self._task), ordered))))


def marked(batch: Path, address: str = "", after_first: Callable[[], None] | None = None) -> Following:
    """Mark a batch to its end; here, where no address is given.  after_first: called once it has begun."""
    following = Following(batch, address)
    for _ in following.steps():
        if after_first is not None:
            after_first()
            after_first = None
    return following
