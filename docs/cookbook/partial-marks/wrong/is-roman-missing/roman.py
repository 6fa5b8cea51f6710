SIGNS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC")]
SIGNS += [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def to_roman(number):
    for value, sign in SIGNS:
        if number >= value:
            return sign + to_roman(number - value)
    return ""


def from_roman(text):
    values = dict((sign, value) for value, sign in SIGNS)
    return sum(values[letter] for letter in text)
