def common(first, second):
    return list({name for name in second if name in first})[::-1]


def initials(names):
    return frozenset(name[:1] for name in names)
