import math


def in_order(numbers):
    rest, result = list(numbers), []
    while rest:
        least = math.inf
        for number in rest:
            least = min(least, number)
        rest.remove(least)
        result.append(least)
    return result
