class Empty(Exception):
    pass


class Meter:
    def __init__(self, coins=()):
        self.coins = list(coins)

    def put(self, coin):
        if coin not in (1, 2, 5):
            raise ValueError(f"a coin of {coin} does not fit (1, 2, 5)")
        self.coins.append(coin)
        return self

    def minutes(self):
        return 12 * sum(self.coins)

    def take(self):
        if not self.coins:
            raise Empty("nothing to take")
        return self.coins.pop()


def fee(minutes):
    return minutes / 12


def split(total, parts):
    return total // parts, total % parts


def each_coin(coins, change):
    return [change(coin) for coin in coins]
