from math import pi


class Circle:
    def __init__(self, radius):
        self.radius = radius

    @classmethod
    def of_diameter(cls, diameter):
        return cls(diameter / 2)

    @property
    def area(self):
        return pi * self.radius**2

    def __eq__(self, other):
        return isinstance(other, Circle) and self.radius == other.radius

    def __lt__(self, other):
        return self.radius < other.radius

    def __add__(self, other):
        return Circle(self.radius + other.radius)

    def __mul__(self, times):
        return Circle(self.radius * times)

    __rmul__ = __mul__

    def __repr__(self):
        return f"Circle({self.radius})"
