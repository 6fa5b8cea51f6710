def balance(money: float, rate: float, years: int) -> float:
    """Return the money after some years with interest of `rate` percent."""
    if years == 0:
        return money
    return balance(money, rate, years - 1) * (1 + rate / 100)
