def change(amount, coins):
    taken = []
    for coin in sorted(coins, reverse=True):
        while amount >= coin:
            taken.append(coin)
            amount -= coin
    return taken
