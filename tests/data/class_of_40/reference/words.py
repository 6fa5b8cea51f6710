"""The reference of the task `figures`: words."""


def initials(name):
    return "".join(word[0] for word in name.split())


def longest(words):
    return max(words, key=len)
