def without_repetitions(items):
    position = 0
    while position < len(items):
        if items[position] in items[:position]:
            del items[position]
        else:
            position += 1
    return items
