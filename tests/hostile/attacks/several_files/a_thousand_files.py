"""A thousand helpers, each of which imports the next.

Must not: keep others waiting.
Handed in by: hand_in
Verdicts: any
"""

def hand_in(batch, places):
    folder = batch / "thousand-files"
    folder.mkdir()
    for number in range(1000):
        (folder / f"m{number}.py").write_text(f"import m{number + 1}\n")
    (folder / "work.py").write_text("import m0\ndef solve(n, places, note): return 0\n")
    (folder / "strict.py").write_text("import m0\ndef total(numbers): return 0\n")
