"""Mandelbrot with my own complex numbers (the class from week 3)."""
import math


class Complex:
    def __init__(self, re, im=0):
        self.re = float(re)
        self.im = float(im)

    def __add__(self, other):
        if not isinstance(other, Complex):
            other = Complex(other)
        return Complex(self.re + other.re, self.im + other.im)

    def __mul__(self, other):
        if not isinstance(other, Complex):
            other = Complex(other)
        return Complex(self.re * other.re - self.im * other.im,
                       self.re * other.im + self.im * other.re)

    def __pow__(self, n):
        result = self
        for _ in range(n - 1):
            result = result * self
        return result

    def __abs__(self):
        return math.sqrt(self.re ** 2 + self.im ** 2)

    def __lt__(self, radius):
        return abs(self) < radius


def iterations(c, max):
    c = Complex(c.real, c.imag)
    z = Complex(0)
    count = 0
    while count < max and z < 2:
        z = z ** 2 + c
        count += 1
    return count


def mandelbrot(start, end, max, width, height):
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    rows = []
    for y in range(height):
        rows.append([])
        for x in range(width):
            rows[y].append(iterations(complex(start.real + x * dx, start.imag + y * dy), max))
    return rows
