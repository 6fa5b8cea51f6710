def fewest(answer, amount, coins, number):
    if type(answer) is not list or any(type(coin) is not int for coin in answer):
        return "expected a list of whole numbers"
    for coin in answer:
        if coin not in coins:
            return f"there is no coin of {coin}" if 0 <= coin < 1000 else "there is no such coin"
    if sum(answer) != amount:
        return f"the coins add up to {sum(answer)}, expected {amount}"
    if len(answer) > number:
        return 0.5, f"the sum is right, but {number} coins are enough; these are {len(answer)}"
    return None
