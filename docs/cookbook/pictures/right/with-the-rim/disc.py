def disc(radius):
    side = range(-radius, radius + 1)
    return [[1 if x * x + y * y <= radius**2 else 0 for x in side] for y in side]
