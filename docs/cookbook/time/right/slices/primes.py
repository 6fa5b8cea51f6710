def count_primes(limit):
    sieve = bytearray([1]) * limit
    sieve[:2] = b"\0\0"
    for number in range(2, int(limit**0.5) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, limit, number)))
    return sum(sieve)
