"""The keys of penalties: for lateness, for a failed smoke test, and for a file in place of a work."""

from fractions import Fraction

from grader.model.policy import DeductionBase
from grader.spec.keys.values import IDS, MOMENT, PENALTY
from grader.yamlfile.kinds import DURATION, PATH, choice, each
from grader.yamlfile.table import Key, KeyTable

LONGEST_S = 366 * 24 * 3600
_TIME = DURATION.bounded(
    lambda time_s: time_s <= LONGEST_S, "is longer than a year", "duration, at most 366 days"
)

# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

OF = Key("of", choice(DeductionBase), "maximum", default=DeductionBase.MARK, meaning=
    "the base of a percentage: the mark that is left after the other penalties, or the task's marks")

LATE_STEP = KeyTable(
    "a step of lateness",
    (
        Key("within", _TIME, "24h", required=True, meaning=
            "up to and with this time after the deadline; longer than in the step before"),
        Key("penalty", PENALTY, "15%", required=True, meaning=
            "the penalty up to that time"),
    ),
)

LATE = KeyTable(
    "late",
    (
        Key("deadline", MOMENT, "2026-11-20T23:59:00+01:00", absent="`due` in the course's file", meaning=
            "until when a submission is in time"),
        Key("grace", _TIME, "10min", default=Fraction(0), absent="none", meaning=
            "lateness up to this costs nothing; beyond it, lateness is counted from the deadline"),
        Key("steps", each(LATE_STEP), "[{within: 24h, penalty: 15%}]", default=(), meaning=
            "penalties by lateness, see [steps](#steps)"),
        Key("then", PENALTY, "100%", required=True, meaning=
            "the penalty beyond the last step"),
        OF,
        Key("extensions", PATH, "closed-tour/extensions.yaml", meaning=
            "a file with deadlines for single students"),
    ),
)

SMOKE = KeyTable(
    "smoke",
    (
        Key("cases", IDS, '["1.1", "2"]', required=True, default=(), meaning=
            "the cases that any working submission passes; a question's id stands for those of its "
            "cases that run before, see [the order](#the-order-of-cases)"),
        Key("penalty", PENALTY, "10%", required=True, meaning=
            "the penalty if one of them is not accepted, for any reason; taken once, however many fail"),
        OF,
    ),
)

INSTEAD = KeyTable(
    "instead",
    (
        Key("penalty", PENALTY, "20%", required=True, meaning=
            "the penalty for a work in whose place a file is marked that a person gave"),
        OF,
    ),
)
# fmt: on
