def draw(temperatures):
    return [(day, value) for day, value in enumerate(temperatures, 1)]
