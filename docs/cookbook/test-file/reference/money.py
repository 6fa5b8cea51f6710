class OtherCurrency(ValueError):
    pass


class Money:
    def __init__(self, cents, currency="EUR"):
        if cents < 0:
            raise ValueError("an amount is not negative")
        self.cents = cents
        self.currency = currency

    def __eq__(self, other):
        if not isinstance(other, Money):
            return NotImplemented
        return (self.cents, self.currency) == (other.cents, other.currency)

    def __add__(self, other):
        if self.currency != other.currency:
            raise OtherCurrency(f"{self.currency} and {other.currency}")
        return Money(self.cents + other.cents, self.currency)


def share(cents, people):
    each, rest = divmod(cents, people)
    return [each + 1] * rest + [each] * (people - rest)
