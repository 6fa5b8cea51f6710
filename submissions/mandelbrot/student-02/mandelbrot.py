"""Mandelbrot with NumPy: all points step together, those that have left are masked out."""

import numpy as np


def _counts(c, max):
    z = np.zeros_like(c)
    counts = np.zeros(c.shape, dtype=np.int64)
    active = np.ones(c.shape, dtype=bool)
    for _ in range(max):
        active &= z.real * z.real + z.imag * z.imag < 4
        if not active.any():
            break
        counts[active] += 1
        z[active] = z[active] * z[active] + c[active]
    return counts


def iterations(c, max):
    return _counts(np.array([c], dtype=complex), max)[0]


def mandelbrot(start, end, max, width, height):
    step_x = (end.real - start.real) / width
    step_y = (end.imag - start.imag) / height
    x = start.real + np.arange(width) * step_x
    y = start.imag + np.arange(height) * step_y
    return _counts(x[np.newaxis, :] + 1j * y[:, np.newaxis], max)
