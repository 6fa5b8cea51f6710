def balance(money, rate, years):
    """Return the money after some years."""
    return grown(money, 1 + rate / 100, years)


def grown(money, factor, years):
    return money if years == 0 else grown(money * factor, factor, years - 1)
