"""Literals and names that are dear to read, and letters that are hardly letters.

Must not: keep the grader busy, or make a mark pending.
Handed in by: hand_in
Verdicts: any
"""

TEXTS = {
    "digits": "x = " + "9" * 240_000 + "\n",
    "underscores": "x = 1" + "_1" * 120_000 + "\n",
    "exponent": "x = 1e" + "9" * 100_000 + "\nx = 10 ** 10 ** 10\n",
    "long-name": "x" * 240_000 + " = 1\n",
    "normal-forms": "\ufdfa" * 60_000 + " = 1\n",
    "marks-on-a-letter": "x" + "\u0301" * 100_000 + " = 1\n",
    "named-letters": "x = '" + "\\N{LATIN SMALL LETTER A}" * 9_000 + "'\n",
}
PREFIX = "numbers"


def hand_in(batch, places):
    for number, (name, text) in enumerate(TEXTS.items()):
        folder = batch / f"{PREFIX}-{name}"
        folder.mkdir()
        (folder / "work.py").write_text("def solve(n, places, note): return 0\n")
        place = folder / ("work.py", "helper.py")[number % 2]
        place.write_bytes(text.encode() if isinstance(text, str) else text)
