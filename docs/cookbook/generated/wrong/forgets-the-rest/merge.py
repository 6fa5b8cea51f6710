def merge(xs, ys):
    merged = []
    i = j = 0
    while i < len(xs) and j < len(ys):
        if xs[i] <= ys[j]:
            merged.append(xs[i])
            i += 1
        else:
            merged.append(ys[j])
            j += 1
    return merged + xs[i:] + ys[j + 1:]
