"""Coding lines that name codecs which compute, compress or do not exist.

Must not: keep the grader busy, or make a mark pending.
Handed in by: hand_in
Verdicts: any
"""

NAMES = ("punycode", "idna", "unicode_escape", "raw_unicode_escape", "utf_7", "zlib_codec", "bz2_codec", "rot13",
         "undefined", "mbcs", "hz", "iso2022_jp", "utf_16", "a" * 41, "x.y", "os", "__main__")
TEXTS = {
    str(number): f"# -*- coding: {name} -*-\n".encode() + b"x = '" + b"-a0" * 60_000 + b"'\n"
    for number, name in enumerate(NAMES)
}
PREFIX = "coding"


def hand_in(batch, places):
    for number, (name, text) in enumerate(TEXTS.items()):
        folder = batch / f"{PREFIX}-{name}"
        folder.mkdir()
        (folder / "work.py").write_text("def solve(n, places, note): return 0\n")
        place = folder / ("work.py", "helper.py")[number % 2]
        place.write_bytes(text.encode() if isinstance(text, str) else text)
