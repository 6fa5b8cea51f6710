def first(items, test):
    found = None
    for item in items:
        if not found and test(item):
            found = item
            break
    return found or None
