"""Names and texts in the places that a report shows, with markup, colours and commands in them.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken exception
"""

import os as ｓｃｒｉｐｔ


def total(numbers, text="<script>alert(1)</script>\x1b[31m::error file=x::y"):
    return exec("<img src=x onerror=alert(1)>") or total(numbers)  # ::set-output name=x::<b>‮
