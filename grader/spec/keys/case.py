"""The keys of a case: those of every case, and those of each kind.

A kind stands above this package, so its keys are found by name, as the kind itself is.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from grader.model.case import Visibility
from grader.registry.groups import Group
from grader.registry.registry import PluginFailed, registry
from grader.registry.shapes import misfit
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
    "call", "sum", "count", "each", "program", "arguments", "stdin", "files", "dialogue", "player", "prompts",
    "stdout", "validator", "interactor", "stderr", "exit", "leaves", "harness", "rule", "pytest", "tests",
)
# fmt: on
"""The first keys of the documentation; then come those of the other kinds, in the order of the kinds."""
_KEY = re.compile(r"[a-z][a-z_ ]{0,39}")
_LAST = ("pace", "picture")
"""The keys that come after those of every case."""


def _keys_of_kinds() -> dict[str, KindKeys]:
    """Return the keys of all kinds, by the names of the kinds.

    A plugin's kind whose keys are another's already is left out.
    """
    known = registry()
    found: dict[str, KindKeys] = {}
    # The kinds themselves stand above this package, and are imported when a case needs one.
    for name in list(known.entries(Group.KINDS)):
        with suppress(PluginFailed):
            keys: KindKeys = known.load_beside(Group.KINDS, name, "keys:KEYS")
            problem = known.is_foreign(Group.KINDS, name) and _clash(keys, found)
            if problem:
                known.refuse(known.entries(Group.KINDS)[name], problem)
            else:
                found[name] = keys
    return found


def _clash(keys: object, others: Mapping[str, KindKeys]) -> str:
    """Return why the keys of a plugin's kind cannot stand beside those of the others; empty if they can.

    A key that others have too is the same object, so that it means the same.
    """
    if not isinstance(keys, KindKeys) or not keys.forms:
        return "its KEYS are no KindKeys with a form"
    problem = misfit(keys)
    if problem:
        return problem
    needed = [key.name for key in keys.keys if key.required]
    if needed:
        return f"`{needed[0]}` would be required in each case of any kind"
    odd = [key.name for key in keys.keys if not _KEY.fullmatch(key.name) or key.name in OF_CASE]
    if odd:
        return f"{odd[0]!r} is no name for a key of a case"
    taken = {key.name: key for key in (*_OF_EVERY, *(key for other in others.values() for key in other.keys))}
    for key in keys.keys:
        if taken.get(key.name, key) != key:
            return f"`{key.name}` is a key already, and means something else"
    shown = [form for form in keys.forms if any(form in other.forms for other in others.values())]
    if shown:
        return f"`{shown[0]}` shows another kind of case already"
    own = {key.name for key in keys.keys} | taken.keys()
    alone = [name for name in (*keys.only_with, *keys.also_with) if name not in {k.name for k in keys.keys}]
    shared = [
        name for name in (*keys.only_with, *keys.also_with) if any(name in _names(o) for o in others.values())
    ]
    if alone or shared:
        return f"`{(alone or shared)[0]}` is not its own key, so it cannot say what goes with it"
    unknown = [name for key, form in keys.forms.items() for name in (key, *form.goes_with) if name not in own]
    return f"`{unknown[0]}` of its forms is no key" if unknown else ""


def _names(keys: KindKeys) -> set[str]:
    return {key.name for key in keys.keys}


def _in_order(kinds: Iterable[KindKeys]) -> tuple[Key, ...]:
    """Return the keys of all cases in the order of the documentation, each once."""
    keys = {key.name: key for kind in kinds for key in kind.keys}
    first, last = ([keys.pop(name) for name in names] for names in (_ORDER, _LAST))
    return (*first, *keys.values(), *_OF_EVERY, *last)


_OF_KINDS = _keys_of_kinds()
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
