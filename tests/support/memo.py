"""A module that finds in a file what earlier calls left there: a cache or a log, such as students keep."""

MEMO = """\
import os

MEMO = os.path.join(os.environ.get("TMPDIR", "."), "memo.txt")


def f(n):
    with open(MEMO, "a+") as file:
        file.seek(0)
        found = file.read()
        file.write(f"{n};")
    return found
"""
