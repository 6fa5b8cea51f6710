"""Knight's tour on an n x n board (n >= 5)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass
class Tour:
    size: int
    start: tuple[int, int]
    path: list[tuple[int, int]] = field(default_factory=list)

    def neighbours(self, square: tuple[int, int]) -> list[tuple[int, int]]:
        row, column = square
        steps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
        return [
            (row + a, column + b)
            for a, b in steps
            if 0 <= row + a < self.size and 0 <= column + b < self.size
        ]

    def exists(self) -> bool:
        return self.size % 2 == 0 or sum(self.start) % 2 == 0

    def solve(self) -> bool:
        """Depth-first search with a stack of its own, best square last on the stack."""
        if not self.exists():
            return False
        visited = {self.start}
        self.path = [self.start]
        stack = [self.choices(self.start, visited)]
        while len(self.path) < self.size**2:
            if stack[-1]:
                square = stack[-1].pop()
                visited.add(square)
                self.path.append(square)
                stack.append(self.choices(square, visited))
            else:
                stack.pop()
                visited.discard(self.path.pop())
                if not stack:
                    return False
        return True

    def choices(self, square, visited):
        options = [s for s in self.neighbours(square) if s not in visited]
        options.sort(key=lambda s: -sum(t not in visited for t in self.neighbours(s)))
        return options

    def __str__(self) -> str:
        number = {square: i for i, square in enumerate(self.path, start=1)}
        width = len(str(self.size**2))
        bar = "+" + "+".join("-" * (width + 2) for _ in range(self.size)) + "+"
        lines = [bar]
        for row in range(self.size):
            cells = (f" {number[row, column]:>{width}} " for column in range(self.size))
            lines += ["|" + "|".join(cells) + "|", bar]
        return "\n".join(lines)


def ask_size() -> int:
    while True:
        answer = input("How large is the board? ")
        if answer.lstrip("-").isdigit() and int(answer) >= 5:
            return int(answer)
        print("Please enter a number, 5 at least.")


def ask_start(size: int) -> tuple[int, int]:
    while True:
        answer = input("Where does the knight start? ")
        match = re.fullmatch(r"([a-z])(\d+)", answer.strip())
        if match:
            square = ord(match[1]) - ord("a"), int(match[2])
            if max(square) < size:
                return square
        print("Please enter a letter and a number, such as a0.")


if __name__ == "__main__":
    size = ask_size()
    tour = Tour(size, ask_start(size))
    print(tour if tour.solve() else "There is no knight's tour from this start.")
