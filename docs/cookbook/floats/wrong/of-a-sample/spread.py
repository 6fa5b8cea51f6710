from math import sqrt


def mean(values):
    return sum(values) / len(values)


def spread(values):
    middle = mean(values)
    return sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))
