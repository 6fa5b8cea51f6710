def change(amount, coins):
    best = [[]]
    for total in range(1, amount + 1):
        best.append(min((best[total - coin] + [coin] for coin in coins if coin <= total), key=len))
    return best[amount]
