from math import sqrt


def mean(values):
    return round(sum(values) / len(values), 2)


def spread(values):
    middle = mean(values)
    return sqrt(mean([(value - middle) ** 2 for value in values]))
