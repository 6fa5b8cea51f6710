def squares(count):
    return [number * number for number in range(count)]
