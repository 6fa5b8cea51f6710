def common(first, second):
    return sorted(set(first) & set(second))


def initials(names):
    return {name[0] for name in names}
