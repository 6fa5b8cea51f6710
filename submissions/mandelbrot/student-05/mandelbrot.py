import cmath

def iterations(c, max):
    z = 0
    for n in range(max):
        if abs(z) >= 2:
            return n
        z = z*z + c
    return max

def mandelbrot(start, end, max, width, height):
    # one list for every x, with the ys in it, like picture[x][y]
    picture = []
    for x in range(width):
        column = []
        for y in range(height):
            re = start.real + x * (end.real - start.real) / width
            im = start.imag + y * (end.imag - start.imag) / height
            column.append(iterations(complex(re, im), max))
        picture.append(column)
    return picture
