"""As many bytes, files and folders as there is room for.

Must not: fill anything but its scratch folder.
Holds from: landlock
Verdicts: wrong-answer time-limit crashed
"""

import os


def solve(n, places, note):
    written = made = 0
    block = b"x" * (1 << 20)
    try:
        for number in range(100):
            with open(f"file-{number}", "wb") as file:
                written += file.write(block)
    except OSError:
        pass
    try:
        for made in range(5000):
            os.mkdir(f"folder-{made}")
    except OSError:
        pass
    if written > 20 << 20 or made > 1100:
        print(places["shout"])
    return 0
