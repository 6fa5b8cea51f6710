def without_repetitions(items):
    return list(dict.fromkeys(items))
