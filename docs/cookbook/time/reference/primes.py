def count_primes(limit):
    """Return how many prime numbers are below the limit."""
    is_prime = [False, False] + [True] * (limit - 2)
    for number in range(2, int(limit**0.5) + 1):
        if is_prime[number]:
            for multiple in range(number * number, limit, number):
                is_prime[multiple] = False
    return sum(is_prime)
