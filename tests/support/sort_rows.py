"""What becomes of each sort of value: the rows of `test_sort_table`."""
# ruff: noqa: E501  # A row of a table stands on one line.

from typing import NamedTuple


class Row(NamedTuple):
    """A sort that answers can have.  Its text in the spec is how it is shown, but for `SHOWN`.

    near: another value, as a program makes it.  told: the message that tells them apart.
    seen: what a checker sees of the right value.
    spoilt: the message where it is an argument that the program changes; empty if it can't be changed.
    """

    near: str
    told: str
    seen: str
    spoilt: str = ""


ROWS = {
    "none": Row("0", "expected None, got 0", "None"),
    "bool": Row("1", "expected True (bool), got 1 (int)", "True"),
    "int": Row("8", "expected 7, got 8", "7"),
    "long-int": Row("10**40 + 1", f"expected 1{'0' * 40}, got 1{'0' * 39}1", f"1{'0' * 40}"),
    "huge-int": Row("10**5000 + 1", "expected <int of 5001 digits that end in 00000000000000000000>, got <int of 5001 digits that end in 00000000000000000001>", "16610 bits, 0"),
    "float": Row("0.5000001", "expected 0.5, got 0.5000001", "0.5"),
    "nan": Row("float('inf')", "expected float('nan'), got float('inf')", "nan"),
    "infinity": Row("float('inf')", "expected float('-inf'), got float('inf')", "-inf"),
    "complex": Row("1+3j", "expected (1+2j), got (1+3j)", "(1+2j)"),
    "str": Row("'ac'", "expected 'ab', got 'ac'", "'ab'"),
    "surrogate": Row("'a\\udc81'", r"expected 'a\udc80', got 'a\udc81'", r"'a\udc80'"),
    "bytes": Row("b'\\xff\\x01'", r"expected b'\xff\x00', got b'\xff\x01'", r"b'\xff\x00'"),
    "list": Row("(3, 1)", "expected [3, 1] (list), got (3, 1) (tuple)", "[3, 1]", "length: was 2 items, is now 3"),
    "nested-list": Row("[[1, 'a'], [], [None, [2.6]]]", "item 3, item 2, item 1: expected 2.5, got 2.6", "[[1, 'a'], [], [None, [2.5]]]", "length: was 3 items, is now 4"),
    "list-of-nan": Row("[1.0, 1.0]", "item 1: expected float('nan'), got 1.0", "[nan, 1.0]", "length: was 2 items, is now 3"),
    "tuple": Row("[1, 'a']", "expected (1, 'a') (tuple), got [1, 'a'] (list)", "(1, 'a')"),
    "set": Row("frozenset({1, 2})", "expected {1, 2} (set), got frozenset({1, 2}) (frozenset)", "set [1, 2]", "elements: "),
    "set-of-mixed": Row("{1, 'a', (2, 4)}", "elements: missing (2, 3); unexpected (2, 4)", "set ['a', (2, 3), 1]", "elements: "),
    "frozenset": Row("{'a', 'b'}", "expected frozenset({'a', 'b'}) (frozenset), got {'a', 'b'} (set)", "frozenset ['a', 'b']"),
    "dict": Row("{'a': 1, 'b': [3]}", "key 'b', item 1: expected 2, got 3", "{'a': 1, 'b': [2]}", "keys: "),
    "dict-of-tuples": Row("{(1, 3): {3}, None: 4}", "keys: expected (1, 2) among them, got (1, 3) in its place", "{(1, 2): {3}, None: 4}", "keys: "),
    "date": Row("datetime(2024, 2, 29)", "expected date(2024, 2, 29), got datetime(2024, 2, 29, 0, 0)", "datetime.date(2024, 2, 29)"),
    "datetime": Row("datetime(2024, 2, 29, 12, 30, tzinfo=timezone.utc)", "expected datetime(2024, 2, 29, 12, 30), got datetime(2024, 2, 29, 12, 30, tzinfo=timezone.utc)", "datetime.datetime(2024, 2, 29, 12, 30)"),
    "time": Row("time(12, 31)", "expected time(12, 30), got time(12, 31)", "datetime.time(12, 30)"),
    "timedelta": Row("timedelta(days=2, microseconds=1)", "expected timedelta(days=2), got timedelta(days=2, microseconds=1)", "datetime.timedelta(days=2)"),
    "fraction": Row("1 / 3", "expected Fraction(1, 3), got 0.3333333333333333 (float)", "Fraction(1, 3)"),
    "decimal": Row("Decimal('1.51')", "expected Decimal('1.50'), got Decimal('1.51')", "Decimal('1.50')"),
    "path": Row("'a/b.txt'", "expected Path('a/b.txt'), got 'a/b.txt' (str)", "PosixPath('a/b.txt')"),
    "range": Row("[2, 5, 8]", "expected range(2, 9, 3), got [2, 5, 8] (list)", "range(2, 9, 3)"),
    "list-of-dates": Row("[date(2024, 2, 29), date(2023, 1, 2)]", "item 2: expected date(2023, 1, 1), got date(2023, 1, 2)", "[datetime.date(2024, 2, 29), datetime.date(2023, 1, 1)]", "length: was 2 items, is now 3"),
    "record": Row("Point(1, [2, 4])", "field y, item 2: expected 3, got 4", "Point(1, [2, 3])", "field y: "),
    "record-of-record": Row("Point(Point(1, 2), {'a': Point(3, 5)})", "field y, key 'a', field y: expected 4, got 5", "Point(Point(1, 2), {'a': Point(3, 4)})", "field y: "),
    "namedtuple": Row("(1, 2)", "expected Pair(1, 2), got (1, 2) (tuple)", "Pair(1, 2)"),
    "enum": Row("Colour.BLUE", "expected Colour.RED, got Colour.BLUE", "Colour.RED"),
    "enum-in-dict": Row("{Colour.RED: [Colour.RED]}", "key Colour.RED, item 1: expected Colour.BLUE, got Colour.RED", "{Colour.RED: [Colour.BLUE]}", "keys: "),
    "table": Row("pandas().DataFrame({'a': [1, 2], 'b': ['x', 'y']})", "column 'b', row 2: expected NaN, got 'y'", "DataFrame [[1, 2], ['x', nan]]", "columns: "),
    "series": Row("pandas().Series([0.5, 1.6], name='s')", "row 2: expected 1.5, got 1.6", "Series [0.5, 1.5]", "row 1: "),
    "table-in-list": Row("[pandas().DataFrame({'a': [2]}), 2]", "item 1, column 'a', row 1: expected 1, got 2", "[   a\n0  1, 2]", "length: was 2 items, is now 3"),
    "table-in-record": Row("Point(pandas().DataFrame({'a': [2]}), 2)", "field x, column 'a', row 1: expected 1, got 2", "Point(   a\n0  1, 2)", "field y: "),
    "array": Row("numpy().array([[1, 2], [3, 5]])", "item 2, item 2: expected 4, got 5", "[[1, 2], [3, 4]]", "length: was 2 items, is now 3"),
    "array-of-floats": Row("numpy().array([0.5, 1.6])", "item 2: expected 1.5, got 1.6", "[0.5, 1.5]", "length: was 2 items, is now 3"),
    "array-scalar": Row("numpy().float64(0.6)", "expected 0.5, got 0.6", "0.5"),
    "set-of-records": Row("{Pair(1, 2), Pair(2, 2)}", "elements: missing Pair(2, 1); unexpected Pair(2, 2)", "set [Pair(1, 2), Pair(2, 1)]"),
}  # fmt: skip
REFUSED = {
    "decimal-nan": ("an object of type Decimal", "<Decimal object: Decimal('sNaN')> (not plain data)"),
    "cycle": ("a container that holds itself", "[1, ...] (list)"),
    "opaque": ("an object of type Odd", "<Odd object: <work.Odd object>> (not plain data)"),
    "opaque-in-list": ("an object of type Odd", "[<Odd object: <work.Odd object>>, 1] (list)"),
    "odd-set": ("a set with items that are equal by their fields", "{Same(1), Same(1)} (set)"),
}
"""Sorts that no reference may answer with: what is said of it, and what of a program that does."""
SHOWN = {
    "long-int": f"1{'0' * 40}",
    "huge-int": "<int of 5001 digits>",
    "complex": "(1+2j)",
    "set-of-records": "{Pair(1, 2), Pair(2, 1)}",
}
"""What is shown where it is not the text of the spec."""
NO_LITERAL = {"huge-int": "it cannot be written in a spec: this number has more than 10,000 bits"}
"""What a handout leaves out."""
