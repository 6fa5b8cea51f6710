"""The keys of a rule as a case."""

from grader.spec.keys.forms import CaseForm, KindKeys
from grader.spec.keys.rules import RULE_VALUE
from grader.yamlfile.table import Key

# fmt: off
_KEYS = (
    Key("rule", RULE_VALUE, "no recursion", meaning=
        "a rule on the source, with a mark of its own: nothing is run, see [a rule](#a-rule)"),
)
# fmt: on

KEYS = KindKeys(
    _KEYS,
    {
        "rule": CaseForm(
            ("name", "title", "number", "weight", "group", "hint", "visibility", "needs"),
            otherwise="a rule looks at the source and runs nothing",
        )
    },
)
