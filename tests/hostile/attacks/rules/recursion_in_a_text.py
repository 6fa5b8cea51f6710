"""Recursion in a text that is run, and the running hidden behind other names.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

run = getattr(__builtins__, "ex" + "ec") if not isinstance(__builtins__, dict) else __builtins__["ex" + "ec"]
run("def total(x):\n    return sum(map(total, x)) if isinstance(x, list) else x")
