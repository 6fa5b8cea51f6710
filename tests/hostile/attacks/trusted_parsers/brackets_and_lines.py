"""Brackets, continued lines, form feeds and blank lines without end, in mixed tabs.

Must not: keep the grader busy, or make a mark pending.
Handed in by: hand_in
Verdicts: any
"""

MIXED = "def solve(n, places, note):\n    return 0\nif 1:\n \tx = 1\n\t y = 2\n"

TEXTS = {
    "open": MIXED + "(" * 240_000,
    "pairs": MIXED + "([{" * 40_000 + "}])" * 40_000,
    "continued": MIXED + "\\\n" * 120_000,
    "form-feeds": MIXED + "\f \t" * 80_000 + "x",
    "blank": MIXED + " \t\n\t \n" * 40_000,
    "comments": MIXED + "#" * 240_000,
}
PREFIX = "brackets"


def hand_in(batch, places):
    for number, (name, text) in enumerate(TEXTS.items()):
        folder = batch / f"{PREFIX}-{name}"
        folder.mkdir()
        (folder / "work.py").write_text("def solve(n, places, note): return 0\n")
        place = folder / ("work.py", "helper.py")[number % 2]
        place.write_bytes(text.encode() if isinstance(text, str) else text)
