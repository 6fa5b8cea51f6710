def without_repetitions(items):
    return sorted(set(items))
