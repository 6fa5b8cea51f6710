from collections import namedtuple
from functools import reduce
from math import sqrt

Z = namedtuple("Z", "re im")


def plus(one, other):
    return Z._make(a + b for a, b in zip(one, other))


def times(one, other):
    return Z(one.re * other.re - one.im * other.im, one.re * other.im + one.im * other.re)


def size(z):
    return sqrt(reduce(lambda total, part: total + part * part, map(float, z), 0))


def iterations(c, max):
    z, c, n = Z(0.0, 0.0), Z(c.real, c.imag), 0
    while n < max and size(z) < 2:
        z, n = plus(times(z, z), c), n + 1
    return n


def mandelbrot(start, end, max, width, height):
    dx, dy = (end.real - start.real) / width, (end.imag - start.imag) / height
    return [[iterations(start + x * dx + y * dy * 1j, max) for x in range(width)] for y in range(height)]
