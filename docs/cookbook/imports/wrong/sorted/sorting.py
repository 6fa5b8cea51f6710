def in_order(numbers):
    arrange = sorted
    return arrange(numbers)
