def first(items, test):
    good = [item for item in items if test(item)]
    return good[0] if good else None
