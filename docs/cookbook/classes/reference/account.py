class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def pay_in(self, amount):
        if amount < 0:
            raise ValueError(f"not an amount: {amount}")
        self._book(amount)

    def pay_out(self, amount):
        if amount > self.balance:
            return False
        self._book(-amount)
        return True

    def _book(self, change):
        self.balance += change
        self.history.append(change)


def transfer(source, target, amount):
    if not source.pay_out(amount):
        return False
    target.pay_in(amount)
    return True
