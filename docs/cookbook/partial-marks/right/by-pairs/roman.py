VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def digit(number, one, five, ten):
    forms = ["", one, one * 2, one * 3, one + five, five, five + one, five + one * 2, five + one * 3, one + ten]
    return forms[number]


def to_roman(number):
    return (
        "M" * (number // 1000)
        + digit(number // 100 % 10, "C", "D", "M")
        + digit(number // 10 % 10, "X", "L", "C")
        + digit(number % 10, "I", "V", "X")
    )


def from_roman(text):
    values = [VALUES[letter] for letter in text]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0]))


def is_roman(text):
    return set(text) <= set(VALUES) and to_roman(from_roman(text)) == text
