def disc(radius):
    side = range(-radius, radius + 1)
    return [[int(abs(x) + abs(y) < radius) for x in side] for y in side]
