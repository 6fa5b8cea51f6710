"""The Mandelbrot set: points whose sequence stays within the circle of radius 2."""


def iterations(c, max):
    z, n = 0j, 0
    while abs(z) <= 2 and n != max:
        z, n = z * z + c, n + 1
    return n


def mandelbrot(start, end, max, width, height):
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    return [
        [iterations(start + x * dx + y * dy * 1j, max) for x in range(width)]
        for y in range(height)
    ]
