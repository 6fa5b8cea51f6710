"""The rule on the compiler's warnings."""

import warnings
from contextlib import suppress

from grader.rules.findings import Found, Module
from grader.rules.trees import source_of


def no_warnings(modules: list[Module]) -> list[Found]:
    """Find what the compiler warns of; a comment can't turn that off."""
    found = []
    for module in modules:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with suppress(SyntaxError, ValueError):  # what the parser takes and the compiler refuses
                compile(source_of(module.text), module.file, "exec", dont_inherit=True)
        found += [Found(module.name, each.lineno, str(each.message)) for each in caught]
    return found
