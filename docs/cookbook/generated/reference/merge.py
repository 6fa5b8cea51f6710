def merge(xs, ys):
    return sorted(xs + ys)
