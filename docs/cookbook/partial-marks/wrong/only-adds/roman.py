VALUES = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}


def to_roman(number):
    text = ""
    for sign, value in VALUES.items():
        text += sign * (number // value)
        number %= value
    return text


def from_roman(text):
    return sum(VALUES[letter] for letter in text)


def is_roman(text):
    return set(text) <= set(VALUES)
