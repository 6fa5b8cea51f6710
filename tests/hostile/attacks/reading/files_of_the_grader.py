"""Spec, reference, checkers, another student's work, results, home, passwords.

Must not: be read.
Holds from: landlock
Verdicts: wrong-answer output-limit exception
Succeeds under: posix
"""

import os


def solve(n, places, note):
    own = ["spec", "reference", "checkers", "other", "canary", "out"]
    paths = [places[name] for name in own]
    paths += ["/etc/passwd", "/etc/shadow", "/root/.bashrc", "/root/.ssh/id_rsa", "/var/log/syslog"]
    paths += [os.path.join(places["reference"], "work.py"), os.path.join(places["out"], "results.json")]
    paths += [os.path.join(places["home"], name) for name in (".ssh/id_rsa", ".netrc", ".bash_history")]
    for path in paths:
        for way in (
            lambda: open(path, "rb").read(5000),
            lambda: os.read(os.open(path, os.O_RDONLY | os.O_NOATIME), 5000),
            lambda: os.listdir(path),
            lambda: list(os.walk(path))[0],
        ):
            try:
                print(places["shout"], way())
            except (OSError, IndexError):
                pass
    return 0
