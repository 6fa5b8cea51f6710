"""A program that looks for what is expected of it: in memory, frames, arguments, environment, open files.

Must not: find it; its own input is all there is.
Hands in: tool
Verdicts: wrong-answer
"""

import gc
import os
import sys

seen = [repr(sys.argv), repr(sys.orig_argv), repr(dict(os.environ))]
frame = sys._getframe()
while frame is not None:
    seen += [repr((name, value))[:2000] for name, value in frame.f_locals.items()]
    frame = frame.f_back
for thing in gc.get_objects():
    if type(thing) in (dict, list, tuple) and len(thing) < 50:
        try:
            seen.append(repr(thing)[:500])
        except Exception:
            continue
for number in range(64):
    try:
        seen.append(os.readlink(f"/proc/self/fd/{number}"))
    except OSError:
        pass
own = "".join(open(__file__).readlines()) if os.path.exists(__file__) else ""
for part in seen:
    for secret in ("CANARY-spec", "CANARY-reference", "CANARY-checks", "second? ", "CANARY-other"):
        if secret in part and "for secret in" not in part and "Must not" not in part:
            print("found", part[:300])
print(len(own))
