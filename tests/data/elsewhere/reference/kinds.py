def double(x):
    return x * 2


def deny():
    raise ValueError("no")


def either(text):
    return text[0]


def greet(name):
    print(f"Hello, {name}!")


def first(xs, test):
    return next((x for x in xs if test(x)), None)


def sort_by(xs, key):
    return sorted(xs, key=key)


class Counter:
    def __init__(self, value):
        self.value = value

    def up(self, by):
        self.value += by
        return self.value
