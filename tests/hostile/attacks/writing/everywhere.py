"""Writes, deletions, renames and links in every folder it has heard of.

Must not: change any of them.
Holds from: landlock
Verdicts: wrong-answer
"""

import os


def solve(n, places, note):
    folders = [places[name] for name in ("reference", "home", "out", "drop")]
    folders += [os.path.dirname(places[name]) for name in ("spec", "checkers", "other", "canary")]
    for folder in (*folders, "/var/tmp", "/dev/shm", "/run", "/box", "/dev", "/"):
        for way in (
            lambda: open(f"{folder}/litter", "w").write("x"),
            lambda: os.mkdir(f"{folder}/litter-folder"),
            lambda: os.symlink("/", f"{folder}/litter-link"),
            lambda: os.open(folder, os.O_TMPFILE | os.O_RDWR) and os.mkfifo(f"{folder}/litter-pipe"),
        ):
            try:
                way()
            except OSError:
                continue
            print(places["shout"], folder)
    for path in (places["spec"], places["other"], places["canary"], places["checkers"]):
        for way in (
            lambda: open(path, "a").write("x"),
            lambda: open(path, "r+").write("x"),
            lambda: os.truncate(path, 0),
            lambda: os.rename(path, path + ".old"),
            lambda: os.unlink(path),
            lambda: os.link(path, path + ".link"),
        ):
            try:
                way()
            except OSError:
                continue
            print(places["shout"], path)
    return 0
