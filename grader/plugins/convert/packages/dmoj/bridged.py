"""How DMOJ asks a program that judges: the types of its bridged checkers and interactors."""

import re
import shlex

from grader.model.own_code import Place
from grader.plugins.convert.draft import Unconvertible

PROTOCOLS = {"default": "dmoj", "testlib": "testlib", "coci": "coci", "peg": "peg"}
"""By the type of a bridged checker, the protocol here."""
SHARES = frozenset({"testlib", "coci", "peg"})
"""The protocols in which a part of a test's points can be given."""
_PLACES = {f"{place.value[1:-1]}_file": place for place in Place}
_FIELD = re.compile(r"\{([^{}]*)\}")


def arguments_of(stated: str) -> tuple[str, ...]:
    """Return all arguments for an `args_format_string`, a command line with places.  Raises `Unconvertible`.

    DMOJ quotes the names of the files, so each is one word, or a part of one.
    """
    try:
        words = shlex.split(stated)
    except ValueError:
        raise Unconvertible(f"`args_format_string` is no command line: {stated[:40]}") from None
    arguments = []
    for word in words:
        if unknown := [name for name in _FIELD.findall(word) if name not in _PLACES]:
            raise Unconvertible(f"`args_format_string` names `{unknown[0][:40]}`, which is no file")
        arguments.append(_FIELD.sub(lambda found: _PLACES[found[1]].value, word))
    if any("{" in _FIELD.sub("", word) or "}" in _FIELD.sub("", word) for word in words) or not words:
        raise Unconvertible(f"`args_format_string` has no meaning that is known: {stated[:40]}")
    return tuple(arguments)
