SIGNS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC")]
SIGNS += [(50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def to_roman(number):
    text = ""
    for value, sign in SIGNS:
        text += sign * (number // value)
        number %= value
    return text


def from_roman(text):
    total = 0
    for value, sign in SIGNS:
        while text.startswith(sign):
            total += value
            text = text[len(sign) :]
    return total


def is_roman(text):
    return to_roman(from_roman(text)) == text
