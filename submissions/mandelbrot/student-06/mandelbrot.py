# I keep the whole sequence because that is how it is defined in the notes.


def inside(z):
    return z.real ** 2 + z.imag ** 2 < 4


def iterations(c, max):
    sequence = []
    z = 0j
    while len(sequence) < max and inside(z):
        sequence.append(z)
        z = sequence[-1] ** 2 + c
    return len(sequence)


def mandelbrot(start, end, max, width, height):
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    return [[iterations(start + complex(x * dx, y * dy), max) for x in range(width)] for y in range(height)]
