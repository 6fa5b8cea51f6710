import numpy as np


def iterations(c, max):
    return int(counts(np.array([[c]], dtype=complex), max)[0, 0])


def counts(c, max):
    z = np.zeros_like(c)
    found = np.zeros(c.shape, dtype=np.uint16)
    left = np.zeros(c.shape, dtype=bool)
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(max):
            left |= ~(np.abs(z) < 2)
            if left.all():
                break
            found += ~left
            z = np.where(left, 0, z**2 + c)
    return found


def mandelbrot(start, end, max, width, height):
    x = np.linspace(start.real, end.real, width, endpoint=False)
    y = np.linspace(start.imag, end.imag, height, endpoint=False)
    return counts(x + 1j * y.reshape(-1, 1), max)
