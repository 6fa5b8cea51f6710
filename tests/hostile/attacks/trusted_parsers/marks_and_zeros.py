"""Byte order marks of every kind, doubled and belied, and zeros in the text.

Must not: keep the grader busy, or make a mark pending.
Handed in by: hand_in
Verdicts: any
"""

SOURCE = "def solve(n, places, note):\n    return 0\n"
TEXTS = {
    "utf-8-twice": b"\xef\xbb\xbf" * 2 + SOURCE.encode(),
    "utf-8-and-coding": b"\xef\xbb\xbf# coding: latin-1\n" + SOURCE.encode(),
    "utf-16-cut": SOURCE.encode("utf-16")[:-1],
    "utf-32": SOURCE.encode("utf-32"),
    "utf-32-too-high": b"\xff\xfe\0\0" + b"\xff" * 100_000,
    "surrogates": SOURCE.encode() + "# \ud800".encode("utf-8", "surrogatepass"),
    "zeros": SOURCE.encode() + bytes(200_000),
    "zero-in-name": b"def so\0lve(n, places, note): return 0\n",
    "end-of-file": SOURCE.encode() + b"\x1a\x04",
    "line-ends": SOURCE.replace("\n", "\r").encode() + b"\r\n\r" * 60_000 + "\u2028\x85\x0b\x1c".encode(),
}
PREFIX = "marks"


def hand_in(batch, places):
    for number, (name, text) in enumerate(TEXTS.items()):
        folder = batch / f"{PREFIX}-{name}"
        folder.mkdir()
        (folder / "work.py").write_text("def solve(n, places, note): return 0\n")
        place = folder / ("work.py", "helper.py")[number % 2]
        place.write_bytes(text.encode() if isinstance(text, str) else text)
