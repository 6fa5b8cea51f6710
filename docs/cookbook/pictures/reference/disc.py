def disc(radius):
    side = range(-radius, radius + 1)
    return [[int(x * x + y * y < radius * radius) for x in side] for y in side]
