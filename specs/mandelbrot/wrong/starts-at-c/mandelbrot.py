def iterations(c, max):
    z = c
    count = 0
    while count < max and abs(z) < 2:
        z = z * z + c
        count += 1
    return count


def mandelbrot(start, end, max, width, height):
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    return [[iterations(start + complex(x * dx, y * dy), max) for x in range(width)] for y in range(height)]
