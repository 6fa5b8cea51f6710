def in_order(numbers):
    result = []
    for number in numbers:
        position = 0
        while position < len(result) and result[position] < number:
            position += 1
        result.insert(position, number)
    return result
