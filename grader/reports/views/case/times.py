"""The time and memory of a case in words."""

from grader.marking.rounding import format_mark
from grader.model.results import CaseResult, GrowthResult, Timing
from grader.model.verdict import Verdict
from grader.reports.views.wording import counted, duration, short_number, size
from grader.reports.words import say


def used_time(case: CaseResult) -> str:
    if not case.wall_s:
        return ""
    if case.verdict == Verdict.WALL_LIMIT:
        return say("{time} by the clock", time=duration(case.wall_s))
    if case.verdict == Verdict.TIME_LIMIT and case.time_limit_s and not case.near_limit:
        return say("more than {time}", time=duration(case.time_limit_s))
    used = duration(case.cpu_s)
    return say("{used} of {most}", used=used, most=duration(case.time_limit_s)) if case.time_limit_s else used


def near_limit(case: CaseResult) -> str:
    """Return how near a case came to its time limit, for the staff; empty if it stayed well below."""
    return f"near its limit: {used_time(case)}" if case.near_limit and case.time_limit_s else ""


def measured(case: CaseResult) -> str:
    times = f"{duration(case.cpu_s)} processor time, {duration(case.wall_s)} by the clock"
    return f"{times}, {size(case.peak_rss_b)} of memory" if case.peak_rss_b else times


def timing_sentence(timing: Timing, case: CaseResult) -> str:
    """Return one sentence on the timing of a case: both times, their ratio, how sure it is, its worth."""
    if case.verdict == Verdict.ACCEPTED:
        worth = say("all of the case")
    else:
        is_part = case.verdict == Verdict.PARTIAL
        worth = say("{share} of the case", share=format_mark(case.score)) if is_part else say("nothing")
    return say(
        "{time}, {ratio} times the reference's {reference} ({certainty}): worth {worth}; "
        "all up to {full} times, nothing from {none} times on",
        time=duration(timing.submission_s),
        ratio=f"{timing.ratio:.2f}",
        reference=duration(timing.reference_s),
        certainty=_certainty(timing),
        worth=worth,
        full=short_number(timing.full),
        none=short_number(timing.none),
    )


def growth_sentence(growth: GrowthResult) -> str:
    """Return the growth of a case's time, and the times of its sizes."""
    points = "; ".join(f"{point.size:,}: {_short_time(point.cpu_s)}" for point in growth.points)
    if growth.too_quick:
        name = say("too quick to tell, which decides nothing")
    elif growth.import_s:
        name = say("not told: the import alone takes {time}", time=_short_time(growth.import_s))
    elif growth.others:
        name = say(
            "between {name} and {other}, which counts as {name} (as the size to the power of {power})",
            name=growth.name,
            other=growth.others[-1],
            power=f"{growth.power:.2f}",
        )
    else:
        name = say(
            "{name} (as the size to the power of {power})", name=growth.name, power=f"{growth.power:.2f}"
        )
    if growth.remark:
        return say(
            "{growth} (a remark without cost; asked for: {most}).  Time of a call by size: {points}",
            growth=name,
            most=growth.at_most,
            points=points,
        )
    return say(
        "{growth}; all up to {most}.  Time of a call by size: {points}",
        growth=name,
        most=growth.at_most,
        points=points,
    )


def _short_time(time_s: float) -> str:
    """Return a time to three digits, in the unit that fits: times of a table differ by factors."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if time_s >= factor:
            return f"{time_s / factor:.3g} {unit}"
    return "0 s" if time_s <= 0 else "<1 µs"


def _certainty(timing: Timing) -> str:
    rounds = counted(timing.rounds, "round")
    if timing.rounds == 1:
        return rounds
    return say(
        "the middle of {rounds}, give or take {share} %", rounds=rounds, share=f"{100 * timing.spread:.1f}"
    )
