"""How long the reference for closed-tour takes on random boards, by size and share of obstacles.

Run it from anywhere, on an otherwise idle machine: `python benchmarks/closed_tour_times.py [SEED]`.
The boards have as many empty squares of one colour as of the other, since others are decided at once.
"""

import random
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "reference" / "closed_tour"))

from knight import EMPTY, OBSTACLE, Board, knightsTour

SIZES = (6, 8, 10, 12)
PAIRS_OF_OBSTACLES = (0.02, 0.04, 0.08, 0.12)
"""As a share of all squares."""
BOARDS = 50


@dataclass(frozen=True, slots=True)
class Measurement:
    """What came of one board; `spent_s` is CPU time."""

    solved: bool
    spent_s: float


def random_board(size: int, pairs: int, chance: random.Random) -> Board:
    """Return a board with `pairs` obstacles on squares of either colour."""
    rows = [[EMPTY] * size for _ in range(size)]
    for colour in (0, 1):
        squares = [(i, j) for i in range(size) for j in range(size) if (i + j) % 2 == colour]
        for i, j in chance.sample(squares, pairs):
            rows[i][j] = OBSTACLE
    return Board(size, size, rows)


def measure(board: Board) -> Measurement:
    """Solve the board."""
    before = time.process_time()
    solved = knightsTour(board)
    return Measurement(solved, time.process_time() - before)


def main() -> None:
    """Print a line for each size and number of obstacles."""
    chance = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    print(f"{'board':>7}{'obstacles':>11}{'boards':>8}{'solved':>8}{'median':>12}{'worst':>12}")
    for size in SIZES:
        for pairs in sorted({max(1, round(share * size * size)) for share in PAIRS_OF_OBSTACLES}):
            measured = [measure(random_board(size, pairs, chance)) for _ in range(BOARDS)]
            times_ms = [1000 * each.spent_s for each in measured]
            print(
                f"{size:>4}x{size:<2}{2 * pairs:>11}{BOARDS:>8}{sum(each.solved for each in measured):>8}"
                f"{statistics.median(times_ms):>9.2f} ms{max(times_ms):>9.2f} ms"
            )


if __name__ == "__main__":
    main()
