class Account:
    def __init__(self, owner, balance=0):
        self.start = balance
        self.history = []

    @property
    def balance(self):
        return self.start + sum(self.history)

    def pay_in(self, amount):
        if amount < 0:
            raise ValueError
        self.history.append(amount)

    def pay_out(self, amount):
        paid = amount <= self.balance
        if paid:
            self.history.append(-amount)
        return paid


def transfer(source, target, amount):
    paid = source.pay_out(amount)
    if paid:
        target.pay_in(amount)
    return paid
