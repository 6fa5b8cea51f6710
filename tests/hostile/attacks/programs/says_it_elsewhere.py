"""Output by the wrong descriptor, by standard input, by both at once, and a flood after the right line.

Must not: be accepted.
Hands in: tool
Verdicts: wrong-answer output-limit crashed exception
"""

import os
import sys

if len(sys.argv) == 3:
    os.write(2, b"7\n")
elif sys.argv[1:] == ["3"]:
    print(7, flush=True)
    os.write(1, b"x" * (1 << 20))
elif sys.argv[1:] == ["5"]:
    os.dup2(2, 1)
    print(13)
else:
    os.write(0, b"5\n")
