"""The same twenty calls with no isolation at all, in one interpreter: what grader is compared with.

Run as `python -I -S -B bare.py FOLDER`.
"""

import sys

sys.path.insert(0, sys.argv[1])
import moves

for dim, path, x in [
    (8, [], (2, 2)), (8, [], (7, 7)), (8, [(4, 1), (1, 0)], (2, 2)), (8, [(6, 6)], (7, 7)), (1, [], (0, 0)),
    (2, [], (0, 0)), (3, [], (0, 0)), (3, [], (1, 1)), (4, [], (0, 0)), (5, [], (4, 4)),
]:  # fmt: skip
    moves.legal_moves(dim, path, x)
for dim, path, x in [
    (8, [], (0, 0)), (8, [], (7, 7)), (8, [], (8, 0)), (8, [], (0, 8)), (8, [], (-1, 0)), (8, [], (0, -1)),
    (8, [(0, 0)], (0, 0)), (8, [(0, 1)], (0, 0)), (1, [], (0, 0)), (1, [(0, 0)], (0, 0)),
]:  # fmt: skip
    moves.is_legal(dim, path, x)
