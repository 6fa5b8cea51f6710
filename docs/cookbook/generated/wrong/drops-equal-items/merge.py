def merge(xs, ys):
    return sorted(set(xs) | set(ys))
