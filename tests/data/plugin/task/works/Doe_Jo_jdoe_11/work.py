def roll(n):
    return n * 2


def turn(a):
    return a % 360


def counts():
    return [1, 2, 3]
