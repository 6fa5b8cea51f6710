"""The keys of a test file."""

from grader.spec.keys.forms import OF_EVERY, CaseForm, KindKeys
from grader.yamlfile.kinds import NAMES, PATH
from grader.yamlfile.table import Key

# fmt: off
_KEYS = (
    Key("pytest", PATH, "leap/test_leap.py", meaning=
        "a test file, which pytest runs away from the student's process: each of its test functions is a "
        "case of its own, see [Test files](cases/pytest.md)"),
    Key("tests", NAMES.described("a name or a list of names"), "[test_century, TestLeap]", default=(),
        absent="all", meaning=
        "the test functions, or classes of them, that count here"),
)
# fmt: on

KEYS = KindKeys(
    _KEYS,
    {"pytest": CaseForm(("tests", *OF_EVERY), otherwise="the tests say what is expected")},
    only_with={"tests": ("pytest", "`pytest` names the test file")},
)
