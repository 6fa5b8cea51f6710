"""Wrong here and there."""


def vowels(text):
    return sum(text.count(vowel) for vowel in "aeiouy")


def longest(words):
    best = ""
    for word in words:
        if len(word) >= len(best):
            best = word
    return best


def divisors(number):
    print("looking at", number)
    return [candidate for candidate in range(number, 0, -1) if number % candidate == 0]


def each_once(items, note):
    for item in sorted(items):
        note(item)
