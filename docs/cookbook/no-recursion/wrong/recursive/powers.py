def power(base, exponent):
    return 1 if exponent == 0 else base * power(base, exponent - 1)
