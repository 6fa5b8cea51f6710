from itertools import accumulate, repeat, takewhile


def iterations(c, max):
    """The longest prefix of the sequence that stays within the circle of radius 2."""
    orbit = accumulate(repeat(c, max - 1), lambda z, c: z * z + c, initial=0j)
    return sum(1 for _ in takewhile(lambda z: abs(z) <= 2, orbit)) if max else 0


def mandelbrot(start, end, max, width, height):
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    return [
        [iterations(start + x * dx + y * dy * 1j, max) for x in range(width)]
        for y in range(height)
    ]
