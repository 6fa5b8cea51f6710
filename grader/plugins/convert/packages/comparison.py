"""How a package compares an output with the expected one, as keys of an expected text."""

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.packages.foreign import number_of

_TOLERANCES = {
    "float_tolerance": ("abs", "rel"),
    "float_absolute_tolerance": ("abs",),
    "float_relative_tolerance": ("rel",),
}
_TOLERANCE = re.compile(r"\b(abs|rel): ([^,]+)")
_WHOLE = re.compile(
    r"(?<!\S)[+-]?(?:0[xX][0-9a-fA-F]{1,30}|[0-9]{1,60}\.?|inf(?:inity)?|nan)(?!\S)", re.IGNORECASE
)
_ONE_FORM = re.compile(r"0|-?[1-9][0-9]*")
"""A whole number as Python writes it."""


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


def accepted_beyond(options: str, answer: str) -> str:
    """Return the first number of an answer for which the default validator accepts more; empty for none.

    options: as `default_validator` returns them.  There a tolerance holds between two whole numbers, and
    `007`, `+5`, `0x10` and `inf` are numbers.
    """
    tolerances = {key: Fraction(value) for key, value in _TOLERANCE.findall(options)}
    if not tolerances:
        return ""
    rel, most = tolerances.get("rel", Fraction(0)), tolerances.get("abs", Fraction(0))
    for word in map(str.lower, _WHOLE.findall(answer)):
        if not _ONE_FORM.fullmatch(word) or max(most, rel * abs(int(word))) >= 1:
            return word
    return ""


def beyond(number: str) -> str:
    """Return what a remark says of a number of `accepted_beyond`."""
    return f"its answer has {number}: whole numbers have no tolerance and no other form here"


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
