"""Sources that are no text, or not the text that they seem: NUL, UTF-16, bidi, a coding that lies.

Must not: be read as anything but what Python would run.
Handed in by: hand_in
Verdicts: any
"""

TEXTS = {
    "nul": b"def solve(n, places, note):\n    return 0\n\0",
    "utf-16": "def solve(n, places, note):\n    return 0\n".encode("utf-16"),
    "bytes": bytes(range(256)) * 20,
    "bidi": "def solve(n, places, note):\n    return 0 #\u202e 1+n*n nruter\n".encode(),
    "coding": b"# -*- coding: rot13 -*-\nqrs fbyir(): cnff\n",
    "coding-of-files": b"# coding: ../../../etc/passwd\n",
    "utf-7": b"# coding: utf-7\n+AGQ-ef solve(n, places, note): return 0\n",
    "form-feed": b"\x0c\x0cdef solve(n, places, note):\r    return 0\r",
    "long-line": b"x = '" + b"a" * 900_000 + b"'\n",
    "many-lines": b"\n" * 900_000,
    "deep": b"(" * 90_000,
    "minus": b"x = " + b"-" * 300_000 + b"1\n",
    "digits": b"x = " + b"9" * 500_000 + b"\n",
    "indents": b"".join(b" " * n + b"if 1:\n" for n in range(99)) + b" " * 99 + b"pass\n",
}


def hand_in(batch, places):
    for name, text in TEXTS.items():
        folder = batch / f"text-{name}"
        folder.mkdir()
        (folder / "work.py").write_bytes(text)
