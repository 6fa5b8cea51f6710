from math import sqrt


def mean(values):
    return sum(values) / len(values)


def spread(values):
    middle = mean(values)
    return sqrt(mean([(value - middle) ** 2 for value in values]))
