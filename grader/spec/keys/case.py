"""The keys of a case: those of every case, and those of each kind.

A kind stands above this package, so its keys are found by the name of its package, as the kind itself is.
"""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from importlib import import_module

from grader.model.case import Visibility
from grader.model.kinds import KINDS
from grader.spec.keys.common import LIMITS, VISIBILITY_MEANT
from grader.spec.keys.forms import KindKeys
from grader.spec.keys.synonyms import OF_CASE
from grader.spec.keys.values import CASE_NAME, CASE_NUMBER, ID, IDS, SEED
from grader.yamlfile.kinds import POSITIVE, TEXT, choice, inner
from grader.yamlfile.table import Key, KeyTable

# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

_OF_EVERY = (
    Key("name", CASE_NAME, "three-by-three", absent="its number in the question, from 1", meaning=
        "the case's id becomes `<question>.<name>` instead of `<question>.<number>`"),
    Key("title", TEXT, "A board without moves", default="", meaning=
        "what students read as its heading instead of the call or the rule, which stays below"),
    Key("number", CASE_NUMBER, "4", absent="its place in the question, from 1", meaning=
        "its number in the question where cases before it are left out, as `grader bundle` does"),
    Key("weight", POSITIVE, "2", default=Fraction(1), meaning=
        "its weight among the cases of the question"),
    Key("group", ID, "big", meaning=
        "its group; every case has one where the question says `award: groups` or has `groups`, and "
        "none has one elsewhere"),
    Key("hint", TEXT, "Squares in the path are taken.", default="", meaning=
        "a hint for students if the case is not accepted"),
    Key("visibility", choice(Visibility, VISIBILITY_MEANT), "hidden", absent="the question's", meaning=
        "as for a question: everything is shown (`public`), the verdict alone (`hidden`), or the "
        "verdict alone until marks are released (`after-due`)"),
    Key("needs", IDS, '["1", "3.2"]', default=(), meaning=
        "cases that must be accepted first, else this one is skipped; a question's id stands "
        "for those of its cases that run before, see [the order](#the-order-of-cases)"),
    Key("limits", inner(LIMITS), "{time: 5s}", absent="the question's", meaning=
        "limits of this case, see [limits](#limits)"),
    Key("seed", SEED, "7", absent="the task's", meaning=
        "seed of `random` and NumPy in the student's process: where they start with this case"),
)

_ORDER = (
    "call", "sum", "count", "each", "program", "arguments", "stdin", "files", "dialogue", "player", "stdout",
    "stderr", "exit", "leaves", "harness", "rule", "pytest", "tests",
)
# fmt: on
"""The first keys of the documentation; then come those of the other kinds, in the order of the kinds."""
_LAST = ("pace", "picture")
"""The keys that come after those of every case."""


def _keys_of(package: str) -> KindKeys:
    found: KindKeys = import_module(f"{package}.keys").KEYS
    return found


def _in_order(kinds: Iterable[KindKeys]) -> tuple[Key, ...]:
    """Return the keys of all cases in the order of the documentation, each once."""
    keys = {key.name: key for kind in kinds for key in kind.keys}
    first, last = ([keys.pop(name) for name in names] for names in (_ORDER, _LAST))
    return (*first, *keys.values(), *_OF_EVERY, *last)


_OF_KINDS = {name: _keys_of(package) for name, package in KINDS.items()}
CASE = KeyTable("a case", _in_order(_OF_KINDS.values()), OF_CASE)
CASE_FORMS = {
    key: replace(form, kind=name) for name, kind in _OF_KINDS.items() for key, form in kind.forms.items()
}
"""The forms of cases by the keys that show them; the first key that is present decides."""
CALLING = tuple(key for key, form in CASE_FORMS.items() if form.makes_calls)
"""The forms whose key is a call."""
ONLY_WITH = {key: other for kind in _OF_KINDS.values() for key, other in kind.only_with.items()}
ALSO_WITH = {key: others for kind in _OF_KINDS.values() for key, others in kind.also_with.items()}
TABLES = tuple(table for kind in _OF_KINDS.values() for table in kind.tables)
"""The tables of the mappings that only some kinds of cases have."""
