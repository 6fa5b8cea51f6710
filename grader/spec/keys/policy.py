"""The keys of groups of cases and of sections."""

from fractions import Fraction

from grader.model.policy import GroupAward, SecondRule
from grader.spec.keys.values import IDS, MARKS, SHARE_OR_ALL
from grader.yamlfile.kinds import BOOLEAN, NUMBER, POSITIVE, TEXT, choice, quantity
from grader.yamlfile.quantities import penalty
from grader.yamlfile.table import Key, KeyTable


def _fits(read: tuple[Fraction, bool]) -> bool:
    amount, is_share = read
    return 0 < amount <= 1 if is_share else amount >= 1 and amount.denominator == 1


AT_LEAST = quantity(
    "a number of cases such as 3, or a share such as 60%",
    "number of cases, or share",
    penalty,
    {"type": ["integer", "string"], "minimum": 1, "pattern": r"^([0-9]+|[0-9]*\.?[0-9]+ ?%)$"},
).bounded(_fits, "must be a whole number from 1, or a share up to 100%", "number of cases from 1, or share")

# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

GROUP = KeyTable(
    "a group",
    (
        Key("award", choice(GroupAward), "threshold", default=GroupAward.ALL, meaning=
            "how its cases earn its marks: `all` or nothing; `each` case in proportion to its weight; "
            "`threshold`, all of them if `at least` so much is accepted; `minimum`, as `each`, but nothing"
            " below `at least`"),
        Key("at least", AT_LEAST, "60%", absent="required with `threshold` and `minimum`", meaning=
            "the least that must be reached: so many accepted cases, or a share of their weight"),
        Key("marks", MARKS, "2", absent="by `weight`", meaning=
            "its marks; if one group has them, all have, and they add up to the question's"),
        Key("weight", POSITIVE, "3", absent="the weights of its cases together", meaning=
            "its part of the question's marks, where groups have no `marks`"),
        Key("bonus", BOOLEAN, "true", default=False, meaning=
            "`true`: its `marks` come on top of the question's"),
        Key("stops", BOOLEAN, "true", default=False, meaning=
            "`true`: after a case that is not accepted, the others are skipped, and earn nothing"),
    ),
)

SECOND = KeyTable(
    "second",
    (
        Key("share", SHARE_OR_ALL, "20%", default=Fraction(1), absent="all", meaning=
            "the share of the works that are marked a second time, drawn by the task's `seed`"),
        Key("within", NUMBER, "0.5", default=Fraction(0), meaning=
            "two marks of a criterion that differ by more await an agreement"),
        Key("then", choice(SecondRule), "mean", default=SecondRule.FIRST, meaning=
            "the mark where they do not: the `first`, the `second`, their `mean`, the `higher`, the `lower`"),
        Key("blind", BOOLEAN, "false", default=True, meaning=
            "who marks second does not see the first marks"),
    ),
)

SECTION = KeyTable(
    "a section",
    (
        Key("title", TEXT, "Bonus questions", required=True, meaning=
            "its name for people"),
        Key("questions", IDS, '["7", "8"]', required=True, default=(), meaning=
            "its questions; a question is in one section at most"),
        Key("cap", MARKS, "3", required=True, meaning=
            "the most marks that its questions earn together"),
    ),
)
# fmt: on
