import math


def mean(values):
    return math.fsum(values) / len(values)


def spread(values):
    middle = mean(values)
    return (math.fsum((value - middle) ** 2 for value in values) / len(values)) ** 0.5
