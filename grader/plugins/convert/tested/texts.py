"""Reads what a suite of TESTed expects of a text, and how the two are compared.

Source: `compare_text` in `tested/oracles/text.py` of dodona-edu/universal-judge.
"""

from dataclasses import dataclass

from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.tested.expressions import FLOAT
from grader.yamlfile.quoting import in_quotes

_DEFAULTS = {
    "ignoreWhitespace": False,
    "caseInsensitive": False,
    "tryFloatingPoint": False,
    "applyRounding": False,
    "normalizeTrailingNewlines": True,
    "mode": "full",
    "roundTo": 3,
}
_MOST_PLACES = 20


@dataclass(frozen=True, slots=True)
class ExpectedText:
    """A text as a spec expects it.  text: as YAML.  is_kinder: more texts are right than there."""

    text: str
    is_kinder: bool = False


def expected_text(text: str, config: object, *, is_whole: bool) -> ExpectedText:
    """Return a text as a spec expects it.

    config: how it is compared.  is_whole: it is a file's content, to which nothing is added.
    Raises `Unconvertible`.
    """
    if not isinstance(config, dict):
        raise Unconvertible("`config` is no mapping")
    options = {**_DEFAULTS, **config}
    unknown = sorted(map(str, options.keys() - _DEFAULTS.keys()))
    if unknown or options["mode"] != "full":
        raise Unconvertible(f"`{unknown[0] if unknown else 'mode'}` of `config` has no counterpart")
    ignores = ", ignores: case" if options["caseInsensitive"] else ""
    number = _number(text) if options["tryFloatingPoint"] else None
    if number is not None:
        return ExpectedText(_of_number(number, options) + ignores + "}")
    if options["normalizeTrailingNewlines"] and not is_whole:
        text = whole_lines(text)
    is_kinder = bool(options["ignoreWhitespace"])
    blanks = ", whitespace: trailing" if is_kinder else ""
    whole, rest = in_quotes(text), blanks + ignores
    return ExpectedText(f"{{text: {whole}{rest}}}" if rest else whole, is_kinder)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _of_number(number: float, options: dict[str, object]) -> str:
    """Return the beginning of the mapping for a text that is one number."""
    if not options["applyRounding"]:
        return f"{{text: {in_quotes(repr(number))}, whitespace: any, rel: {FLOAT}"
    places = options["roundTo"]
    if type(places) is not int or not 0 <= places < _MOST_PLACES:
        raise Unconvertible("`roundTo` is no small number")
    distance = f"{5 * 10.0 ** -(places + 1):g}"
    return f"{{text: {in_quotes(repr(round(number, places)))}, whitespace: any, abs: {distance}"


def whole_lines(text: str) -> str:
    """Return a text with an end of its last line."""
    return text if not text or text.endswith("\n") else f"{text}\n"
