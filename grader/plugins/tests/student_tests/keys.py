"""The keys of a student's own tests."""

from grader.spec.keys.forms import OF_EVERY, CaseForm, KindKeys
from grader.spec.keys.values import MODULE, NAME
from grader.yamlfile.kinds import NAMES, inner
from grader.yamlfile.table import Key, KeyTable

# fmt: off
AGAINST = KeyTable(
    "against",
    (
        Key("module", NAME.described("name of a module"), "leap", required=True, meaning=
            "the name by which the tests import a program"),
        Key("right", NAMES.described("path or list of paths, relative to the spec's folder"),
            "[right/leap.py]", required=True, meaning=
            "programs that the tests must accept, else the case is worth nothing"),
        Key("wrong", NAMES.described("path or list of paths, relative to the spec's folder"),
            "[wrong/century.py]", required=True, meaning=
            "programs that they should not accept; the case is worth the share of these that they catch"),
    ),
)

_KEYS = (
    Key("student tests", MODULE, "test_leap", meaning=
        "a module with the student's own tests, which are tried on programs of yours, see [Students' "
        "tests](cases/student-tests.md)"),
    Key("against", inner(AGAINST), "{module: leap, right: [right.py], wrong: [century.py]}", meaning=
        "the programs that they are tried on, see [against](#against)"),
)
# fmt: on

KEYS = KindKeys(
    _KEYS,
    {
        "student tests": CaseForm(
            ("against", *OF_EVERY), otherwise="what counts is which programs the tests accept"
        )
    },
    only_with={"against": ("student tests", "`student tests` names the module with the tests")},
    tables=(AGAINST,),
)
