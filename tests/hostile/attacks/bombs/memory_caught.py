"""Memory bit by bit, with every refusal caught and tried again.

Must not: be had beyond the limit, or go on for ever.
Verdicts: time-limit memory-limit crashed
"""

def solve(n, places, note):
    kept = []
    while True:
        try:
            kept.append(bytearray(1 << 20))
        except MemoryError:
            pass
