def count_primes(limit):
    count = 0
    for number in range(2, limit):
        divisor = 2
        while divisor * divisor <= number and number % divisor:
            divisor += 1
        count += divisor * divisor > number
    return count
