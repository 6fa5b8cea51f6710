def first(items, test):
    return next(filter(test, items), None)
