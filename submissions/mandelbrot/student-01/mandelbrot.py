# Mandelbrot set, coursework 2
# complex numbers are built into Python, so this is short


def iterations(c, max):
    z = 0
    n = 0
    while n < max and abs(z) < 2:
        z = z * z + c
        n += 1
    return n


def mandelbrot(start, end, max, width, height):
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    picture = []
    for y in range(height):
        row = []
        for x in range(width):
            row.append(iterations(start + complex(x * dx, y * dy), max))
        picture.append(row)
    return picture


if __name__ == "__main__":
    for line in mandelbrot(-2 - 1.5j, 1 + 1.5j, 100, 70, 30):
        print("".join(" .:-=+*#%@"[min(9, n // 2)] for n in line))
