"""The keys of a case that calls a function several times."""

from grader.api.keys import CALL, INTEGER, OF_EVERY, CaseForm, Key, KindKeys, within

KEYS = KindKeys(
    keys=(
        Key("stable", CALL, "roll(3)", meaning="a call that must have the same answer each time"),
        Key("times", within(INTEGER, 2, 100), "3", default=2, meaning="how often it is called, in one process"),
    ),
    forms={"stable": CaseForm((*OF_EVERY, "times"))},
    only_with={"times": ("stable", "it says how often the call is made")},
)
