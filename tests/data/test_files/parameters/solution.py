class TooDeep(Exception):
    def __init__(self, depth):
        super().__init__(f"deeper than {depth}")
        self.depth = depth


def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def flat(items, depth=3):
    if depth < 0:
        raise TooDeep(3)
    return [x for item in items for x in (flat(item, depth - 1) if isinstance(item, list) else [item])]
