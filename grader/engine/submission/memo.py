"""Remembers judgements, so that the same evidence on the same case is judged once.

Most submissions of a batch give the same answers, and a judgement depends on the answer alone.  So the
first is decoded and judged, and the others get its judgement with their own times.  Only plain answers are
remembered: those without output, callbacks or refusals, up to a size and a number.  A judgement that failed
on our side is never remembered.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from grader.judge.judge import is_near_limit
from grader.model.case import Case
from grader.model.outcome import Ending
from grader.model.results import CaseResult
from grader.model.verdict import Verdict
from grader.sandbox.evidence import Evidence

_LONGEST_B = 4096
_MOST = 64
"""The most answers remembered for one case."""

_NOT_OF_THE_ANSWER = (Verdict.INTERNAL_ERROR, Verdict.SKIPPED)
"""Verdicts that do not depend on the answer: our side failed, or the budget was used up."""

_Remembered: TypeAlias = Callable[..., CaseResult]
"""Makes the result from the measured fields."""


class JudgementMemo:
    """Remembers judgements for the submissions of one task, judged by one oracle."""

    def __init__(self) -> None:
        self._known: dict[str, dict[bytes, _Remembered]] = {}

    def judgement(self, case: Case, evidence: Evidence) -> CaseResult | None:
        """Return the judgement of the same evidence, None if there is none yet."""
        report = evidence.report
        remembered = self._known.get(case.id, {}).get(report.answer)
        if remembered is None or not _is_plain(evidence):
            return None
        return remembered(
            cpu_s=report.cpu_s,
            wall_s=report.wall_s,
            peak_rss_b=report.peak_rss_b,
            near_limit=is_near_limit(case, Ending.ANSWERED, report.cpu_s),
        )

    def remember(self, case: Case, evidence: Evidence, result: CaseResult) -> None:
        known = self._known.setdefault(case.id, {})
        if _is_plain(evidence) and len(known) < _MOST and result.verdict not in _NOT_OF_THE_ANSWER:
            fields = {name: getattr(result, name) for name in _JUDGED}
            known[evidence.report.answer] = partial(CaseResult, **fields)


_MEASURED = frozenset({"cpu_s", "wall_s", "peak_rss_b", "near_limit"})
_JUDGED = [name for name in CaseResult.__slots__ if name not in _MEASURED]


def _is_plain(evidence: Evidence) -> bool:
    """Tell whether the judgement depends on the answer alone."""
    report = evidence.report
    return (
        report.ending == "answered"
        and len(report.answer) <= _LONGEST_B
        and not (evidence.calls or report.stdout or report.stderr or report.refused or report.detail)
    )
