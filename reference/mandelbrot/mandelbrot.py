"""The Mandelbrot set as a grid of counts: how long each point's sequence stays near the origin.

There are no colours and no files here; a picture is made from the counts elsewhere.
"""

BLOCK = 60
"""Steps between two checks whether the sequence repeats itself: a multiple of most short periods."""


def iterations(c: complex, max: int) -> int:
    """Return how many of z0 = 0, z1, ... (z to z*z + c) have |z| < 2 before the first that has not.

    Looks at no more than `max` of them.
    """
    # Real arithmetic, so that each operation is rounded by itself on every machine.  For doubles,
    # sqrt(s) < 2 holds exactly if s < 4: the root of the last double below 4 rounds to below 2.
    c_re, c_im = c.real, c.imag
    re = im = 0.0
    seen = None
    for n in range(max):
        re_squared = re * re
        im_squared = im * im
        if not re_squared + im_squared < 4.0:
            return n
        if n % BLOCK == 0:
            here = re, im
            # Back at the very same point: the sequence repeats these steps without end.
            if here == seen:
                return max
            seen = here
        half = re * im
        re = re_squared - im_squared + c_re
        im = half + half + c_im
    return max


def mandelbrot(start: complex, end: complex, max: int, width: int, height: int) -> list[list[int]]:
    """Return rows of counts for the points start + x*dx + y*dy*i, where x < width and y < height.

    dx and dy are the width and the height of the view, divided by the number of points; both may be
    negative.  Row 0 has the imaginary part of `start`; `end` itself is just outside the grid.
    """
    dx = (end.real - start.real) / width
    dy = (end.imag - start.imag) / height
    columns = [start.real + x * dx for x in range(width)]
    rows = [start.imag + y * dy for y in range(height)]
    return [[iterations(complex(re, im), max) for re in columns] for im in rows]
