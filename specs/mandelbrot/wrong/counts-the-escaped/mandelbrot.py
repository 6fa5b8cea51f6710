def iterations(c, max):
    z = 0j
    count = 0
    while count < max:
        count += 1
        if abs(z) >= 2:
            break
        z = z * z + c
    return count


def mandelbrot(start, end, max, width, height):
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    return [[iterations(start + complex(x * dx, y * dy), max) for x in range(width)] for y in range(height)]
