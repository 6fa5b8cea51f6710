class Empty(Exception):
    pass


class Meter:
    def __init__(self, coins):
        pass

    def put(self, coin):
        pass

    def minutes(self):
        pass

    def take(self):
        pass


def fee(minutes):
    pass


def split(total, parts):
    pass


def each_coin(coins, change):
    pass
