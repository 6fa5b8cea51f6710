class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def pay_in(self, amount):
        self.balance += amount
        self.history.append(amount)

    def pay_out(self, amount):
        self.balance -= amount
        self.history.append(-amount)
        return self.balance >= 0


def transfer(source, target, amount):
    target.pay_in(amount)
    return source.pay_out(amount)
