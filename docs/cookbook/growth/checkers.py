def shuffled(random, n):
    numbers = list(range(n))
    random.shuffle(numbers)
    return numbers
