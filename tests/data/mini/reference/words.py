"""Words and numbers."""


def vowels(text):
    return sum(text.count(vowel) for vowel in "aeiou")


def longest(words):
    return max(words, key=len)


def divisors(number):
    return [candidate for candidate in range(1, number + 1) if number % candidate == 0]


def each_once(items, note):
    for item in items:
        note(item)
