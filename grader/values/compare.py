"""Finds the first difference between two decoded values.

Equality is exact by type unless the comparison relaxes it: True is not 1, 1 is not 1.0, a list is no tuple
and a set no frozenset, and a record has its class.  With `equality: python`, types count where they
do for Python's `==`.  Two rules are always kinder than it: nan equals nan, at any depth, and the contents of
a set or dict are compared under these same rules.  As in Python, -0.0 equals 0.0 and neither the order of a
dict's keys nor that of a record's fields matters.  An opaque value and a cycle equal no value, not even
themselves.

Values are hostile.  They are of exact builtin types or our own stand-ins, so no method of a student's is ever
called.  The depth is bounded.  The work is near linear except for `unordered` with a tolerance, where
`grader.values.matching` bounds it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import EnumMember, Value
from grader.values.canonical import MAX_LEVELS, Key, canonical
from grader.values.matching import unmatched
from grader.values.shares import share_difference, share_remark
from grader.values.show import show, times, type_name
from grader.values.sort import sort_of
from grader.values.tolerance import are_numbers, numbers_equal

PART_LIMIT = 200
"""The most characters of each side of a difference, and of its place."""
KEY_LIMIT = 60
SCALARS = frozenset({int, str, float, bool, bytes, EnumMember})
_NUMBERS = frozenset({int, float, complex, bool})
TYPED_KEYS = frozenset({*SCALARS, tuple, type(None)})
CUT = "…"
"""Stands in code where it cannot be typed: a long key is cut there."""
_ANOTHER_ORDER = "; the right items are there, in another order"
_LOOKED_AT = 100
_MOST_PAIRED = 10_000
"""Larger collections of different sizes are not searched for missing items."""
EXACT = Comparison()


def first_difference(expected: Value, actual: Value, comparison: Comparison = EXACT) -> Difference | None:
    """Return the first difference between `actual` and `expected`, None if they are equal.

    The place is in words, from the outside in, and counts from 1: "item 3, item 1",
    "key 'a'", "field energy", "line 3, column 5", "length".  It is empty if the
    values differ as a whole.  The code of the place has no name before it.  `unordered` concerns the
    outermost list or tuple alone.
    """
    if comparison.differing:
        found = share_difference(expected, actual, comparison, difference)
    elif comparison.unordered and _forgives("unordered", expected, actual, comparison):
        found = sort_of(expected).in_any_order(expected, actual, comparison)
    else:
        found = difference(expected, actual, comparison, 0)
        if found is not None and _forgives("differing", expected, actual, comparison):
            found = _in_wrong_order(expected, actual, comparison) or found  # type: ignore[arg-type]
    if found is None or len(found.where) <= PART_LIMIT:
        return found
    # Code that is cut cannot be pasted.
    found = replace(found, code="")
    half = PART_LIMIT // 2
    return replace(found, where=f"{found.where[:half]} … {found.where[-half:]}")


def _forgives(key: str, expected: Value, actual: Value, comparison: Comparison) -> bool:
    """Tell whether a key of a comparison means something for these two."""
    sort = sort_of(expected)
    return key in sort.forgives and sort.meets(expected, actual, comparison)


def tolerated(expected: Value, actual: Value, comparison: Comparison) -> str:
    """Return a remark on the differences in an answer that counts as equal; empty if there are none."""
    if not comparison.differing:
        return ""
    return share_remark(expected, actual, comparison, difference)


def difference(expected: Value, actual: Value, comparison: Comparison, level: int) -> Difference | None:
    """Return the first difference of two values that are in so many containers; None if they are equal."""
    kind = type(expected)
    if are_numbers(expected, actual, comparison):
        return None if numbers_equal(expected, actual, comparison) else unlike(expected, actual)
    if kind in SCALARS and kind is type(actual) and expected == actual:
        return None
    sort = sort_of(expected)
    if not sort.meets(expected, actual, comparison):
        return unlike(expected, actual)
    if level >= MAX_LEVELS and sort.is_container:
        return Difference("", f"at most {MAX_LEVELS} levels of containers", "more")
    return sort.difference(expected, actual, comparison, level + 1)


def unlike(expected: Value, actual: Value) -> Difference:
    """Return the difference of two whole values, with their types if these differ."""
    texts = show(expected, PART_LIMIT), show(actual, PART_LIMIT)
    if type(expected) is int and type(actual) is int and texts[0] == texts[1]:
        return Difference("", _last_digits(texts[0], expected), _last_digits(texts[1], actual))
    obvious = expected is None or actual is None or type(expected) is type(actual)
    if obvious and not sort_of(expected).stands_for and not sort_of(actual).stands_for:
        return Difference("", *texts)
    return Difference("", _with_type(texts[0], expected), _with_type(texts[1], actual))


def _last_digits(text: str, value: int) -> str:
    return f"{text[:-1]} that end in {abs(value) % 10**20:020}>"


def _with_type(text: str, value: Value) -> str:
    sort = sort_of(value)
    if value is None or sort.tells_type:
        return text
    return f"{text} ({sort.stands_for or type_name(value)})"


def within(part: str, found: Difference, code: str) -> Difference:
    """Return a difference as seen from outside, in the part of a container at the place `part`.

    code: the same place as Python code.
    """
    return replace(found, where=f"{part}, {found.where}" if found.where else part, code=code + found.code)


def named(found: Difference, name: str) -> Difference:
    """Return a difference whose code, if any that can be typed, begins with the name of the whole value."""
    return replace(found, code=name + found.code if found.code and CUT not in found.code else "")


# -- containers ------------------------------------------------------------------------------------


def length_difference(expected: Sequence[Value], actual: Sequence[Value]) -> Difference:
    """Return the difference of two collections of different sizes."""
    items = "1 item" if len(expected) == 1 else f"{len(expected)} items"
    return Difference("length", items, str(len(actual)))


def ordered(names: Iterable[Value], comparison: Comparison) -> list[tuple[Key, Value]]:
    """Return values in the order of their keys, each with its key."""
    keys = [(canonical(name, python=comparison.python), name) for name in names]
    return sorted(keys, key=lambda pair: pair[0])


def _in_wrong_order(
    expected: Sequence[Value], actual: Sequence[Value], comparison: Comparison
) -> Difference | None:
    """Return the first item of another order, as a whole; None if the items themselves differ."""
    if len(expected) != len(actual) or len(expected) > _MOST_PAIRED:
        return None
    keys = [[canonical(item, comparison.any_sequence) for item in items] for items in (expected, actual)]
    at = next((i for i, (one, other) in enumerate(zip(*keys, strict=True)) if one != other), None)
    # A hostile record can have two fields of one name, and is none like itself.
    if at is None or sorted(keys[0]) != sorted(keys[1]):
        return None
    texts = show(expected[at], PART_LIMIT), show(actual[at], PART_LIMIT)
    said = f"expected {texts[0]}, got {texts[1]}{_ANOTHER_ORDER}"
    return Difference(f"item {at + 1}", *texts, sentence=said, code=f"[{at}]")


# -- in any order ----------------------------------------------------------------------------------


def in_any_order(
    expected: Sequence[Value], actual: Sequence[Value], comparison: Comparison, noun: str
) -> Difference | None:
    """Return the difference of two collections in which order does not count.  noun: what they hold."""
    if len(expected) != len(actual) and max(len(expected), len(actual)) > _MOST_PAIRED:
        return length_difference(expected, actual)
    left_over = unmatched(expected, actual, comparison)
    missing = [expected[position] for position in left_over.missing]
    extra = [actual[position] for position in left_over.extra]
    if noun == "elements":
        # Sets have no order, and every run must name the same element.
        missing.sort(key=canonical)
        extra.sort(key=canonical)
    if missing:
        found = Difference(noun, *_missing_texts(missing, extra, expected))
        return replace(found, sentence=_sentence(missing, extra)) if noun == "elements" else found
    if not extra:
        return None
    text = show(extra[0], PART_LIMIT)
    superfluous, there = _count(extra[0], extra), _count(extra[0], actual)
    if there > superfluous:
        return Difference(noun, f"{text} {times(there - superfluous)}", f"it {times(there)}")
    place = f" as item {left_over.extra[0] + 1}" if noun == "items" else ""
    sentence = _sentence(missing, extra) if noun == "elements" else ""
    return Difference(noun, f"nothing equal to {text}", f"{text}{place}", sentence)


def _sentence(missing: list[Value], extra: list[Value]) -> str:
    """Return the missing and the unexpected elements of a set: `missing 3; unexpected 4, 5`."""
    typed = any(_same_number(one, other) for one in missing[:_LOOKED_AT] for other in extra[:_LOOKED_AT])
    parts = [("missing", missing), ("unexpected", extra)]
    return "; ".join(f"{word} {_listed(items, typed)}" for word, items in parts if items)


def _listed(items: list[Value], typed: bool) -> str:
    """Return as many items as fit, and the number of the others."""
    texts: list[str] = []
    left = PART_LIMIT
    for item in items:
        text = show(item, PART_LIMIT)
        text = _with_type(text, item) if typed else text
        left -= len(text)
        if texts and left < 0:
            break
        texts.append(text)
    more = f" and {len(items) - len(texts)} more" if len(texts) < len(items) else ""
    return ", ".join(texts) + more


def _same_number(one: Value, other: Value) -> bool:
    # Python's own `==` is right here, because such numbers look equal to a student.
    return type(one) in _NUMBERS and type(other) in _NUMBERS and one == other


def _missing_texts(missing: list[Value], extra: list[Value], expected: Sequence[Value]) -> tuple[str, str]:
    item = missing[0]
    text = show(item, PART_LIMIT)
    absent, wanted = _count(item, missing), _count(item, expected)
    if wanted > absent:
        return f"{text} {times(wanted)}", f"it {times(wanted - absent)}"
    for other in extra[:_LOOKED_AT]:
        if _same_number(item, other):
            return f"{_with_type(text, item)} among them", _with_type(show(other, PART_LIMIT), other)
    if len(missing) == len(extra) == 1:
        return f"{text} among them", f"{show(extra[0], PART_LIMIT)} in its place"
    return f"{text} among them", "nothing equal to it"


def _count(item: Value, items: Sequence[Value]) -> int:
    wanted = canonical(item)
    return sum(canonical(other) == wanted for other in items)
