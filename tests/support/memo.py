"""A student's module that keeps a file across calls, as a cache or a log does."""

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
