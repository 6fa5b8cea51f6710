def common(first, second):
    return [name for name in first if name in second]


def initials(names):
    return [name[0] for name in names]
