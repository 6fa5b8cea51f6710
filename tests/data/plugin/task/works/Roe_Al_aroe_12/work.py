import random
def roll(n):
    return random.randrange(1000000) ^ n
def turn(a):
    return a + 1
def counts():
    return [1, 2, 4]
