def power(base, exponent):
    return 1 if exponent == 0 else times(base, exponent)


def times(base, exponent):
    return base * power(base, exponent - 1)
