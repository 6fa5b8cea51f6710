def has_double(xs):
    ordered = sorted(xs)
    for i in range(1, len(ordered)):
        if ordered[i - 1] == ordered[i]:
            return True
    return False
