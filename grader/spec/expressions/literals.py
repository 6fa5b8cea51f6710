"""Values as Python text that gives the same value when it is pasted."""

import math

from grader.model.library import LIBRARY, library_text
from grader.model.values import EnumMember, Record, Table, Value

LONGEST_INT = 10_000
"""The most bits of an int that is written in decimal digits, which Python does for some 14,000."""


def literal(value: Value) -> str:
    """Return Python text for a plain value; sets are sorted by their items' text."""
    if type(value) is float:
        return repr(value) if math.isfinite(value) else f"float('{value}')"
    if type(value) is complex:
        return _complex(value)
    if type(value) is list:
        return f"[{', '.join(map(literal, value))}]"
    if type(value) is tuple:
        return f"({literal(value[0])},)" if len(value) == 1 else f"({', '.join(map(literal, value))})"
    if type(value) is dict:
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if type(value) is set:
        return _set(value) if value else "set()"
    if type(value) is frozenset:
        return f"frozenset({_set(value)})" if value else "frozenset()"
    if type(value) is Record:
        return f"{value.type_name}({', '.join(literal(field) for _, field in value.fields)})"
    if type(value) is EnumMember:
        return f"{value.type_name}.{value.name}"
    if type(value) is Table:
        return _table(value)
    if type(value) in LIBRARY:
        return library_text(value)
    if type(value) is int and value.bit_length() > LONGEST_INT:
        return hex(value)
    return repr(value)


def _table(value: Table) -> str:
    index = "" if value.has_default_index else f", index={literal([*value.index])}"
    if value.type_name == "Series":
        name = "" if value.columns[0] is None else f", name={literal(value.columns[0])}"
        return f"Series({literal([*value.cells[0]])}{index}{name})"
    return f"DataFrame({literal(dict(zip(value.columns, map(list, value.cells), strict=True)))}{index})"


def _set(value: set[Value] | frozenset[Value]) -> str:
    return "{" + ", ".join(sorted(map(literal, value))) + "}"


def _complex(value: complex) -> str:
    """Return the short form if it gives the same value, with the signs of zeros; else a call of `complex`."""
    parts = (value.real, value.imag)
    plain = all(math.isfinite(part) and math.copysign(1, part) > 0 for part in parts)
    return repr(value) if plain else f"complex({literal(value.real)}, {literal(value.imag)})"
