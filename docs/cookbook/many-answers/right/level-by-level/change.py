def change(amount, coins):
    level = [[]]
    while True:
        for taken in level:
            if sum(taken) == amount:
                return taken
        level = [[coin, *taken] for taken in level for coin in coins if sum(taken) + coin <= amount]
