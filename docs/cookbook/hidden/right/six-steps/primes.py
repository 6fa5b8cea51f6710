def is_prime(number):
    if number < 4:
        return number > 1
    if number % 2 == 0 or number % 3 == 0:
        return False
    return all(number % d and number % (d + 2) for d in range(5, int(number**0.5) + 1, 6))
