"""Files, folders and links left for the next case of the same program, and looked for in it.

Must not: find anything that an earlier case has left.
Holds from: namespaces
Hands in: tool
Verdicts: wrong-answer
"""

import os
import sys

found = [name for name in os.listdir(".") if name.startswith("left")]
print("found", found)
if found:
    os.abort()
with open("left", "w") as file:
    file.write(" ".join(sys.argv))
os.mkdir("left-folder")
os.chmod("left-folder", 0)
os.symlink("left", "left-link")
