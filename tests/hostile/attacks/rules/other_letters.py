"""Names in other letters that Python takes for the same: full width, long s, ligatures.

Must not: pass the rules.
Hands in: strict
Verdicts: rule-broken
"""

def total(numbers):
    return ｅｖａｌ("6") if numbers else ｅxec("0")
