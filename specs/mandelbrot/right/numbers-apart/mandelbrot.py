def iterations(c, max):
    re, im = 0.0, 0.0
    a, b = c.real, c.imag
    for count in range(max):
        if (re * re + im * im) ** 0.5 >= 2:
            return count
        re, im = re * re - im * im + a, 2 * re * im + b
    return max


def mandelbrot(start, end, max, width, height):
    def row(y):
        im = start.imag + y * (end.imag - start.imag) / height
        for x in range(width):
            yield iterations(complex(start.real + x * (end.real - start.real) / width, im), max)

    return tuple(tuple(row(y)) for y in range(height))
