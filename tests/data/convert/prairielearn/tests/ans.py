import numpy as np

clean = [each for each in readings if 0 <= each <= 50]
ends = min(clean), max(clean)
scaled = np.array(clean) / 50


def mean(values):
    return sum(values) / len(values)


def variance(values):
    return mean([(each - mean(values)) ** 2 for each in values])
