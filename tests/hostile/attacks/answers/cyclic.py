"""Containers that hold themselves.

Must not: be followed for ever.
Verdicts: wrong-answer
"""

def solve(n, places, note):
    row, table = [1], {}
    row.append(table)
    table[1] = (row, {2: row})
    return (row, table, (row,))[n % 3]
