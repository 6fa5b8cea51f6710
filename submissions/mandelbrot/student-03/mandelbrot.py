def iterations(c, max):
    # start with the first step
    z = c
    count = 0
    for i in range(max):
        if abs(z) >= 2:
            break
        count = count + 1
        z = z ** 2 + c
    return count

def mandelbrot(start, end, max, width, height):
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    return [[iterations(complex(start.real + x * dx, start.imag + y * dy), max) for x in range(width)] for y in range(height)]
