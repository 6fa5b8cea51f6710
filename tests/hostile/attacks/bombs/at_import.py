"""An import that never ends.

Must not: cost more than one import.
Verdicts: load-error
"""

while True:
    pass
