def balance(money: float, rate: float, years: int) -> float:
    """Return the money after some years."""
    for _ in range(years):
        money *= 1 + rate / 100
    return money
