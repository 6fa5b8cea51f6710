"""The method of the source in plain Python.  A submission's time is compared with it.

The counts are those of `mandelbrot`, which is several times as fast if many points never leave, because
it notices that a sequence repeats itself.  The task does not ask submissions to do that.
"""


def iterations(c: complex, max: int) -> int:
    """Return how many of z0 = 0, z1, ... (z to z*z + c) have |z| < 2 before the first that has not."""
    z = 0j
    count = 0
    while count < max and abs(z) < 2:
        z = z * z + c
        count += 1
    return count


def mandelbrot(start: complex, end: complex, max: int, width: int, height: int) -> list[list[int]]:
    """Return rows of counts for the points start + x*dx + y*dy*i, where x < width and y < height."""
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    return [[iterations(start + (x * dx + y * dy * 1j), max) for x in range(width)] for y in range(height)]
