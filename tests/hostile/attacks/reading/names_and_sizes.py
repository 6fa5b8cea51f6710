"""Whether files exist, and their sizes and dates.

Must not: be seen.
Holds from: namespaces
Verdicts: wrong-answer
Succeeds under: posix
"""

import os


def solve(n, places, note):
    for name in ("spec", "reference", "checkers", "other", "canary", "out", "home"):
        for way in (os.stat, os.lstat, os.readlink, os.statvfs, os.path.realpath):
            try:
                found = way(places[name])
            except OSError:
                continue
            if way is not os.path.realpath:
                print(places["shout"], name, found)
        if os.access(places[name], os.F_OK):
            print(places["shout"], name)
    return 0
