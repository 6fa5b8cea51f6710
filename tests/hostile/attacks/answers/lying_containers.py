"""A list, a str and a dict that lie about length, content and equality.

Must not: be accepted.
Verdicts: wrong-answer
"""

class Row(list):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __len__ = lambda self: 1
    __iter__ = lambda self: iter([10])
    __getitem__ = lambda self, index: 10


class Text(str):
    __eq__ = Row.__eq__
    __hash__ = lambda self: hash("10")
    __str__ = __repr__ = lambda self: "10"
    encode = lambda self, *args: b"10"


class Table(dict):
    __eq__ = Row.__eq__
    items = lambda self: [(1, 1)]
    keys = values = lambda self: [1]


def solve(n, places, note):
    return (Row([0]), Text("no"), Table({2: 2}))[n % 3]
