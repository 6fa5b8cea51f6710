"""Keeps results of jobs between runs, so that an unchanged spec is validated in a second.

The key of a result is the digest of all that it depends on: the job's own, our code, and the sandbox.
"""

import json
from pathlib import Path

from grader.lab.digests import digest
from grader.model.task import Task
from grader.plugins.validate.work.jobs import Job, Result
from grader.store.whole_file import replace_text

_FORMAT = "grader-validation-known/1"
_NOTHING = object()


class JobCache:
    """Results of earlier runs, by key.  path: the file; None: keep nothing.

    conditions: see `grader.engine.cache.keys.conditions_key`.
    """

    def __init__(self, path: Path | None, conditions: str) -> None:
        self._path = path
        self._conditions = conditions
        self._before = _read(path) if path is not None else {}
        self._now: dict[str, Result] = {}

    def key(self, job: Job, task: Task) -> str:
        return digest(self._conditions, *map(repr, job.about(task)))

    def find(self, key: str) -> tuple[Result] | None:
        """Return the result of an earlier run in a tuple, or None."""
        found = self._now.get(key, self._before.get(key, _NOTHING))
        if found is _NOTHING:
            return None
        self._now[key] = found
        return (found,)

    def add(self, key: str, result: Result) -> None:
        self._now[key] = result

    def save(self, *, all_of_them: bool) -> None:
        """Write what this run found or used; of earlier runs too where this run is only a part of them."""
        if self._path is None:
            return
        kept = self._before | self._now if all_of_them else self._now
        if kept == self._before:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(self._path, json.dumps({"format": _FORMAT, "results": kept}))


def _read(path: Path) -> dict[str, Result]:
    """Return the kept results; a file that cannot be read holds none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        return {}
    results = found.get("results")
    return results if isinstance(results, dict) else {}
