"""How a package compares an output with the expected one, as keys of an expected text."""

from collections.abc import Mapping
from types import MappingProxyType

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.packages.foreign import number_of

_TOLERANCES = {
    "float_tolerance": ("abs", "rel"),
    "float_absolute_tolerance": ("abs",),
    "float_relative_tolerance": ("rel",),
}


def default_validator(flags: list[str]) -> str:
    """Return the options of a text for the flags of the default output validator, after `from`.

    Kattis compares words, whatever blanks stand between them, in small letters; numbers by a tolerance
    (problem package format 2025-09, "default output validator").  Raises `Unconvertible`.
    """
    blanks, case, tolerances = "any", True, dict[str, str]()
    words = iter(flags)
    for word in words:
        if word == "case_sensitive":
            case = False
        elif word == "space_change_sensitive":
            blanks = "exact"
        elif word in _TOLERANCES:
            value = next(words, "")
            if number_of(value) is None:
                raise Unconvertible(f"`{word}` has no number")
            tolerances |= dict.fromkeys(_TOLERANCES[word], value)
        else:
            raise Unconvertible(f"the default validator has no flag `{word}`")
    if tolerances and blanks == "exact":
        raise Unconvertible("a tolerance beside `space_change_sensitive` has no counterpart")
    if float(tolerances.get("rel", "0")) >= 1:
        raise Unconvertible("a relative tolerance of 1 and more accepts nearly everything")
    return text_options(blanks, ignores_case=case, tolerances=tolerances)


def text_options(
    whitespace: str,
    *,
    ignores_case: bool = False,
    unordered: bool = False,
    tolerances: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the options of an expected text, as they stand after its first key."""
    options = [f"whitespace: {whitespace}"] if whitespace != "exact" else []
    options += ["ignores: case"] if ignores_case else []
    options += ["unordered: true"] if unordered else []
    options += [f"{key}: {value}" for key, value in sorted(tolerances.items())]
    return "".join(f", {option}" for option in options)
