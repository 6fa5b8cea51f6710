def iterations(c, max):
    z = 0j
    count = 0
    while count < max and abs(z) < 2:
        z = z * z + c
        count += 1
    return count


def mandelbrot(start, end, max, width, height):
    dx = (end.real - start.real) / (width - 1 or 1)
    dy = (end.imag - start.imag) / (height - 1 or 1)
    return [[iterations(start + complex(x * dx, y * dy), max) for x in range(width)] for y in range(height)]
