def power(base, exponent):
    result = 1
    while exponent:
        if exponent % 2:
            result *= base
        base, exponent = base * base, exponent // 2
    return result
