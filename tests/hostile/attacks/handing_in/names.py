"""Students who are called like markup, formulas, escapes, commands, paths and devices.

Must not: be obeyed by any page, table, terminal or file system.
Handed in by: hand_in
Verdicts: any
"""

NAMES = (
    "<script>alert(1)<%2fscript>", "=HYPERLINK(1)", "+1+cmd", "-2+3", "@SUM(1)", "a\x1b[2J\x1b]0;x\x07", "\u202egpj.exe",
    "::error file=x::owned", "{{7*7}}", "${jndi:ldap:x}", "CON", "nul.html", "COM1", "..\\..\\evil", "a\nb", "a\tb",
    "...", " ", "x" * 200, "%00", "index", "results.json", "'; DROP TABLE submissions;--", "💩", "~", "-rf", "--help", "$(touch owned)", "`touch owned`",
)


def hand_in(batch, places):
    for name in NAMES:
        folder = batch / name
        folder.mkdir()
        (folder / "work.py").write_text("def solve(n, places, note):\n    return 0\n")
