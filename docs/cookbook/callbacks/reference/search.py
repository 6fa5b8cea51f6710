def first(items, test):
    for item in items:
        if test(item):
            return item
    return None
