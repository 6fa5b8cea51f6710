# draws the set in four stripes at once

from threading import Thread


def iterations(c, max):
    zr = zi = 0.0
    cr, ci = c.real, c.imag
    for n in range(max):
        zr2, zi2 = zr * zr, zi * zi
        if zr2 + zi2 >= 4.0:
            return n
        zr, zi = zr2 - zi2 + cr, 2.0 * zr * zi + ci
    return max


def mandelbrot(start, end, max, width, height):
    picture = [None] * height
    dx, dy = (end.real - start.real) / width, (end.imag - start.imag) / height

    def stripe(first):
        for y in range(first, height, 4):
            picture[y] = tuple(iterations(complex(start.real + x * dx, start.imag + y * dy), max) for x in range(width))

    threads = [Thread(target=stripe, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return picture
