class Account:
    history = []

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance

    def pay_in(self, amount):
        if amount < 0:
            raise ValueError(amount)
        self.balance += amount
        self.history.append(amount)

    def pay_out(self, amount):
        if amount > self.balance:
            return False
        self.balance -= amount
        self.history.append(-amount)
        return True


def transfer(source, target, amount):
    if source.pay_out(amount):
        target.pay_in(amount)
        return True
    return False
