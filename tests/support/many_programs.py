"""Programs of a made-up class: each drawn by its own seed, after starter code that all of them have."""

import random

STARTER = """def board(n):
    rows = []
    for i in range(n):
        rows.append([0] * n)
    return rows


def show(rows):
    for row in rows:
        print(' '.join(str(cell) for cell in row))
    print('-' * len(rows))
    return None

"""

_STATEMENTS = (
    "total = total + {n}",
    "if x % {n} == 0:\n        total -= {n}",
    "for i in range({n}):\n        total += i * x",
    "items.append(x + {n})",
    "while total > {n}:\n        total //= 2",
    "items = [v for v in items if v > {n}]",
    "try:\n        total = int(total / x)\n    except ZeroDivisionError:\n        total = {n}",
    "total, x = x, total",
    "print('value', x, total)",
    "items.sort(key=lambda v: v % {n})",
    "d = dict(zip(items, range({n})))",
    "d[x] = d.get(x, 0) + {n}",
    "if x in d and d[x] > {n}:\n        return items[{n}]",
    "assert len(items) < {n}",
    "total = sum(v ** 2 for v in items if v != {n})",
)


def program(seed: int, functions: int = 6) -> str:
    """Return a program of about a hundred lines."""
    drawn = random.Random(seed)
    parts = [STARTER]
    for number in range(functions):
        body = [f"def part{number}(x, items):", "    total = 0; d = {}"]
        body += ["    " + drawn.choice(_STATEMENTS).format(n=drawn.randint(1, 99)) for _ in range(8)]
        parts.append("\n".join(body) + "\n    return total\n\n")
    return "\n".join(parts)


def renamed(text: str) -> str:
    """Return the program with other names, comments and blank lines."""
    for before, after in (
        ("total", "acc"),
        ("items", "lst"),
        ("part", "fun"),
        ("\n    if", "\n\n    # why\n    if"),
    ):
        text = text.replace(before, after)
    return "# my own work\n" + text


def reordered(text: str) -> str:
    """Return the program with its functions in the opposite order."""
    head, *functions = text.split("def ")
    return "def ".join([head, *reversed(functions)])
