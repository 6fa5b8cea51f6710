"""An import that takes all memory.

Must not: be had beyond the limit.
Verdicts: load-error
"""

kept = []
while True:
    kept.append(bytearray(1 << 20))
