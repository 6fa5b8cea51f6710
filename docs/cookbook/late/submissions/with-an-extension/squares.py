def squares(count):
    return list(map(lambda number: number**2, range(count)))
