"""Quotes that a scanner starts anew at, behind indentation that has to be looked at.

Must not: keep the grader busy, or make a mark pending.
Handed in by: hand_in
Verdicts: any
"""

MIXED = "def solve(n, places, note):\n    return 0\nif 1:\n \tx = 1\n\t y = 2\n"

TEXTS = {
    "backslashes": MIXED + "\\'" * 120_000,
    "triple": MIXED + '"""\\' * 60_000,
    "prefixes": MIXED + "rb'" * 80_000,
    "braces": MIXED + "f'{" * 80_000,
}
PREFIX = "quotes"


def hand_in(batch, places):
    for number, (name, text) in enumerate(TEXTS.items()):
        folder = batch / f"{PREFIX}-{name}"
        folder.mkdir()
        (folder / "work.py").write_text("def solve(n, places, note): return 0\n")
        place = folder / ("work.py", "helper.py")[number % 2]
        place.write_bytes(text.encode() if isinstance(text, str) else text)
