"""An import that prints without end.

Must not: be kept.
Verdicts: load-error
"""

while True:
    print("x" * 1000)
