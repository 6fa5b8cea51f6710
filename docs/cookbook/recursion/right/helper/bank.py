def balance(money: float, rate: float, years: int) -> float:
    """Return the money after some years."""
    return grown(money, 1 + rate / 100, years)


def grown(money: float, factor: float, years: int) -> float:
    """Return the money, multiplied by the factor once a year."""
    return money if years == 0 else grown(money * factor, factor, years - 1)
