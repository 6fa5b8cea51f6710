def vowels(text):
    print(sum(letter in "aeiou" for letter in text.lower()))
