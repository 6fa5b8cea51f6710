"""The words, symbols and units of every report, so that all reports use the same ones.

Text of our own only: text from a submission goes through `grader.reports.escape`.
A verdict of a later version is shown under its own name, without colour.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import lru_cache

from grader.judge.finding import UNJUDGED
from grader.model.policy import GroupAward
from grader.model.results import CaseResult, QuestionResult, RunInfo
from grader.model.task import Award
from grader.model.verdict import Verdict
from grader.reports.tone import Tone
from grader.reports.words import is_english, many, say, word


@dataclass(frozen=True, slots=True)
class Wording:
    """A verdict for people.

    symbol: one character that distinguishes the tones without colour.
    explanation: one sentence for the student; empty if the verdict needs none.
    """

    word: str
    symbol: str
    tone: Tone
    explanation: str = ""


TONE_SYMBOLS = {Tone.GOOD: "✓", Tone.PART: "◐", Tone.BAD: "✗", Tone.IDLE: "○", Tone.OURS: "!"}


def _wording(word: str, tone: Tone, explanation: str = "") -> Wording:
    return Wording(word, TONE_SYMBOLS[tone], tone, explanation)


_UNJUDGED = "unjudged"
_VERDICTS: Mapping[str, Wording] = {
    Verdict.ACCEPTED: _wording(word("accepted"), Tone.GOOD),
    Verdict.PARTIAL: _wording(word("partly right"), Tone.PART),
    Verdict.WRONG_ANSWER: _wording(word("wrong answer"), Tone.BAD),
    Verdict.EXCEPTION: _wording(
        word("exception"), Tone.BAD, word("The call ended with an exception that was not expected.")
    ),
    Verdict.RUNTIME_ERROR: _wording(
        word("run-time error"), Tone.BAD, word("The program ended with an exit code that says it failed.")
    ),
    Verdict.CRASHED: _wording(word("crashed"), Tone.BAD, word("The program ended before it gave an answer.")),
    Verdict.TIME_LIMIT: _wording(
        word("time limit"), Tone.BAD, word("The call used up the processor time it may have.")
    ),
    Verdict.WALL_LIMIT: _wording(
        word("wall limit"), Tone.BAD, word("The call slept or waited for too long.")
    ),
    Verdict.MEMORY_LIMIT: _wording(
        word("memory limit"), Tone.BAD, word("The call wanted more memory than it may have.")
    ),
    Verdict.OUTPUT_LIMIT: _wording(
        word("output limit"), Tone.BAD, word("The call printed or returned more than it may.")
    ),
    Verdict.FORBIDDEN: _wording(
        word("forbidden"), Tone.BAD, word("The call tried something that submissions may not do.")
    ),
    Verdict.LOAD_ERROR: _wording(
        word("load error"), Tone.BAD, word("The module is not there, or could not be imported.")
    ),
    Verdict.MISSING: _wording(
        word("missing"), Tone.BAD, word("The module has nothing of that name that can be called.")
    ),
    Verdict.RULE_BROKEN: _wording(
        word("rule broken"), Tone.BAD, word("The source breaks a rule of the task.")
    ),
    Verdict.SKIPPED: _wording(word("skipped"), Tone.IDLE),
    Verdict.INTERNAL_ERROR: _wording(
        word("internal error"),
        Tone.OURS,
        word("The grader failed here, not the program. The mark is pending."),
    ),
    _UNJUDGED: _wording(
        word("not judged"),
        Tone.OURS,
        word("The checker of the task could not judge this answer. Marking will decide about it."),
    ),
}

_AWARDS: Mapping[str, str] = {
    Award.ALL: word("All cases must be accepted."),
    Award.EACH: word("Each accepted case earns its share."),
    Award.GROUPS: word("A group of cases earns its share when all of it is accepted."),
    Award.BY_TIME: word("Each right answer earns what its time is worth, compared with the reference's."),
}

_GROUP_AWARDS: Mapping[str, str] = {
    GroupAward.ALL: word("all of its cases must be accepted"),
    GroupAward.EACH: word("each accepted case earns its share"),
    GroupAward.THRESHOLD: word("earned whole with at least {least} accepted"),
    GroupAward.MINIMUM: word("each accepted case earns its share, but nothing below {least}"),
}

_GUARANTEES = {
    "files-read": "student code could read files of this machine",
    "files-write": "student code could write files of this machine",
    "files-metadata": "student code could see names and sizes of files, not their contents",
    "disk": "student code could fill the disk",
    "network": "student code could use the network",
    "processes": "student code could start processes",
    "signals": "student code could send signals to other processes",
    "memory": "memory was not limited",
    "cpu": "processor time was not limited",
    "leftovers": "student code could leave processes or files behind",
}

_WEAK_DRIVERS = frozenset({"seccomp", "posix", "none", ""})


def case_wording(case: CaseResult) -> Wording:
    """Return the words for a verdict of a case, also where nothing failed but a checker."""
    return verdict_wording(_UNJUDGED if is_unjudged(case) else case.verdict)


def question_wording(question: QuestionResult) -> Wording:
    failed = [case for case in question.cases if case.verdict == Verdict.INTERNAL_ERROR]
    return verdict_wording(_UNJUDGED if failed and all(map(is_unjudged, failed)) else question.verdict)


def is_unjudged(case: CaseResult) -> bool:
    """Tell whether a checker raised on the answer, and nothing shows whose fault that is."""
    return case.verdict == Verdict.INTERNAL_ERROR and UNJUDGED in case.message


def verdict_wording(verdict: str) -> Wording:
    """Return the words for a verdict, in the language of the page."""
    found = _VERDICTS.get(verdict)
    if found is None:
        return _wording(verdict, Tone.IDLE)
    return found if is_english() else replace(found, word=say(found.word), explanation=say(found.explanation))


def award_sentence(award: str) -> str:
    """Return how the cases of a question become its mark; empty if that is not known."""
    return say(_AWARDS.get(award, ""))


def group_sentence(award: str, at_least: str) -> str:
    """Return how the cases of a group become its mark; empty if that is not known."""
    if "%" in at_least:
        least = say("{share} of the weight", share=at_least)
    else:
        least = say("{n} case" if at_least == "1" else "{n} cases", n=at_least)
    return say(_GROUP_AWARDS.get(award, ""), least=least)


def guarantee_sentence(name: str) -> str:
    """Return the risk that remains when a guarantee of the sandbox does not hold."""
    return _GUARANTEES.get(name, "this guarantee did not hold")


def is_weak(driver: str) -> bool:
    """Tell whether a driver is weaker than marking requires."""
    return driver in _WEAK_DRIVERS


def share_tone(mark: Fraction, max_mark: Fraction) -> Tone:
    """Return the tone of a mark: all of it, some, or none."""
    if mark >= max_mark:
        return Tone.GOOD
    return Tone.PART if mark > 0 else Tone.BAD


@lru_cache(4096)
def short_number(value: Fraction) -> str:
    """Return a mark for people: as it is if three decimals are enough, as for eighths; `1/3` as 0.33."""
    return _decimals(value, 3 if 1000 % value.denominator == 0 else 2)


def short_mean(value: Fraction) -> str:
    """Return a mean or a median of marks for people, with at most two decimals."""
    return _decimals(value, 2)


def _decimals(value: Fraction, most: int) -> str:
    text = f"{float(value):.{most}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def duration(seconds: float) -> str:
    """Return a time for people: `<1 ms`, `412 ms`, `1.72 s`, `30 s`, `2 min 30 s`."""
    if seconds < 0.0005:
        return "<1 ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def size(count_b: int) -> str:
    """Return a size for people: `812 B`, `11.8 MiB`."""
    value = float(count_b)
    for unit in ("B", "KiB", "MiB"):
        if value < 1000:
            return f"{value:.3g} {unit}"
        value /= 1024
    return f"{value:.3g} GiB"


def point_in_time(text: str) -> str:
    """Return an ISO date and time as `2026-03-04 15:06 UTC`; any other text as it is."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    zone = moment.tzname()
    return f"{moment:%Y-%m-%d %H:%M}" + (f" {zone}" if zone else "")


def accepted_of(accepted: int, cases: int) -> str:
    """Return `2 of 3 cases accepted`."""
    return many(
        cases, "{accepted} of {n} case accepted", "{accepted} of {n} cases accepted", accepted=accepted
    )


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return `1 case`, `2 cases`; both are in the catalogues as `{n} case` and `{n} cases`."""
    return many(count, f"{{n}} {noun}", f"{{n}} {plural or noun + 's'}")


def build_told(run: RunInfo) -> str:
    """Return version and build of the grader of a run: `0.1.0, commit 1f8a02c4d5e6 (changed), code 9b3e…`."""
    commit, _, changed = run.commit.partition(" ")
    parts = [run.grader]
    parts += [f"commit {commit[:12]}{f' ({changed})' if changed else ''}"] if commit else []
    parts += [f"code {run.code}"] if run.code else []
    return ", ".join(parts)
