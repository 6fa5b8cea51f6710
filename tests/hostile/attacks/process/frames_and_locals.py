"""Everything that stack frames, tracebacks, linecache and the collector know.

Must not: hold an expected answer, or anything of others.
Verdicts: wrong-answer output-limit time-limit
"""

import gc
import inspect
import linecache
import sys


def solve(n, places, note):
    found = sys._getframe()
    while found is not None:
        known = {**found.f_globals, **found.f_locals}
        known.pop("places", None)
        print(found.f_code.co_filename, found.f_code.co_consts, repr(known).replace(places["shout"], "")[:5000])
        try:
            print(inspect.getsource(found)[:3000])
        except (OSError, TypeError):
            pass
        found = found.f_back
    print(linecache.cache)
    word = "CAN" + "ARY"
    for thing in gc.get_objects():
        if not isinstance(thing, (dict, list, tuple)) or thing is places:
            continue
        try:
            text = repr(thing)
        except Exception:
            continue
        if word in text:
            print(text[max(0, text.index(word) - 50) :][:200].replace(places["shout"], ""))
    return 0
