def without_repetitions(items):
    kept = []
    for item in items:
        if item not in kept:
            kept.append(item)
    return kept
