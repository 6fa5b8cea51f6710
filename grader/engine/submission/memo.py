"""What was judged before: the same evidence on the same case gets the same judgement.

Most of a batch answers alike, and what an answer is worth depends on the answer alone: so the
first of them is decoded and judged, and the others get its judgement with their own times.
Only plain answers are remembered, those without output, callbacks or refusals, and bounded in
size and number; a judgement that went wrong on our side is never repeated.
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
"""Answers that are remembered for one case."""

_NOT_OF_THE_ANSWER = (Verdict.INTERNAL_ERROR, Verdict.SKIPPED)
"""Judgements that say nothing about the answer: our side failed, or the budget did not reach."""

_Remembered: TypeAlias = Callable[..., CaseResult]
"""Makes the result, given what was measured."""


class Recall:
    """Remembers judgements for the submissions of one task, judged by one oracle."""

    def __init__(self) -> None:
        self._known: dict[str, dict[bytes, _Remembered]] = {}

    def judgement(self, case: Case, evidence: Evidence) -> CaseResult | None:
        """Return the judgement of the same evidence, or None where there was none yet."""
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
        """Take note of a judgement."""
        known = self._known.setdefault(case.id, {})
        if _is_plain(evidence) and len(known) < _MOST and result.verdict not in _NOT_OF_THE_ANSWER:
            fields = {name: getattr(result, name) for name in _JUDGED}
            known[evidence.report.answer] = partial(CaseResult, **fields)


_MEASURED = frozenset({"cpu_s", "wall_s", "peak_rss_b", "near_limit"})
_JUDGED = [name for name in CaseResult.__slots__ if name not in _MEASURED]


def _is_plain(evidence: Evidence) -> bool:
    """Whether the answer is all there is to judge."""
    report = evidence.report
    return (
        report.ending == "answered"
        and len(report.answer) <= _LONGEST_B
        and not (evidence.calls or report.stdout or report.stderr or report.refused or report.detail)
    )
