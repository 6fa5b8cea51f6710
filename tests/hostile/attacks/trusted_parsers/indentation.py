"""Indentation a thousand levels deep, of tabs and spaces in turn.

Must not: keep the grader busy, or make a mark pending.
Handed in by: hand_in
Verdicts: any
"""

TEXTS = {
    "spaces": "".join(" " * depth + "if 1:\n" for depth in range(600)) + "\t" + "x = 1\n",
    "turns": "".join(" \t"[depth % 2] * depth + "if 1:\n" for depth in range(600)),
    "columns": "if 1:\n" + (" " * 7 + "\t") * 20_000 + "x = 1\n\tx = 2\n",
    "one-line": "\t " * 120_000,
}
PREFIX = "indentation"


def hand_in(batch, places):
    for number, (name, text) in enumerate(TEXTS.items()):
        folder = batch / f"{PREFIX}-{name}"
        folder.mkdir()
        (folder / "work.py").write_text("def solve(n, places, note): return 0\n")
        place = folder / ("work.py", "helper.py")[number % 2]
        place.write_bytes(text.encode() if isinstance(text, str) else text)
