# knight3.py -- large boards, without recursion

OFFSETS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def legal(dim, visited, x):
    return [
        (x[0] + dx, x[1] + dy)
        for dx, dy in OFFSETS
        if 0 <= x[0] + dx < dim and 0 <= x[1] + dy < dim and (x[0] + dx, x[1] + dy) not in visited
    ]


def ordered(dim, visited, x):
    return sorted(legal(dim, visited, x), key=lambda m: len(legal(dim, visited, m)))


def tour_on_mega_board(dim, path):
    walk = list(reversed(path))
    visited = set(path)
    choices = [ordered(dim, visited, walk[-1])]
    while choices:
        if len(walk) == dim * dim:
            return list(reversed(walk))
        if choices[-1]:
            m = choices[-1].pop(0)
            walk.append(m)
            visited.add(m)
            choices.append(ordered(dim, visited, m))
        else:
            choices.pop()
            visited.remove(walk.pop())
    return None
