import numpy as np
import pylab_plus as plt

def iterations(c, max):
    z = 0
    for n in range(max):
        if abs(z) >= 2:
            return n
        z = z * z + c
    return max

def mandelbrot(start, end, max, width, height):
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    return np.array([[iterations(start + x * dx + y * dy * 1j, max) for x in range(width)] for y in range(height)])

def show(start, end):
    plt.imshow(mandelbrot(start, end, 100, 300, 300))
    plt.show()
