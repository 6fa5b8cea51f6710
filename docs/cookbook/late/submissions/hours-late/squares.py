def squares(count):
    return [number**2 for number in range(count)]
