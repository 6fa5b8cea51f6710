"""A program that ends with status 0 in every way there is, before it has said anything.

Must not: be accepted.
Hands in: tool
Verdicts: wrong-answer crashed
"""

import atexit
import os
import sys

sys.excepthook = lambda *_: os._exit(0)
atexit.register(os._exit, 0)
if len(sys.argv) == 3:
    os._exit(0)
if len(sys.argv) == 2 and sys.argv[1] == "5":
    raise SystemExit(False)
if len(sys.argv) == 2:
    raise KeyboardInterrupt
sys.exit()
