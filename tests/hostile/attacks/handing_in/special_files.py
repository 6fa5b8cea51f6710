"""A pipe, a folder and a file of a terabyte of holes, each called work.py.

Must not: be waited for, or be read whole.
Handed in by: hand_in
Verdicts: any
"""

import os


def hand_in(batch, places):
    for name in ("pipe", "folder", "holes"):
        (batch / f"special-{name}").mkdir()
    os.mkfifo(batch / "special-pipe" / "work.py")
    (batch / "special-folder" / "work.py").mkdir()
    with (batch / "special-holes" / "work.py").open("wb") as file:
        file.truncate(1 << 40)
