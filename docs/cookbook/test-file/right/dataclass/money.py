from dataclasses import dataclass


class OtherCurrency(ValueError):
    pass


@dataclass
class Money:
    cents: int
    currency: str = "EUR"

    def __post_init__(self):
        if self.cents < 0:
            raise ValueError("amounts are not negative")

    def __add__(self, other):
        if other.currency != self.currency:
            raise OtherCurrency
        return Money(self.cents + other.cents, self.currency)


def share(cents, people):
    return [(cents + people - 1 - person) // people for person in range(people)]
