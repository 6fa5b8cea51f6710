def counted(text):
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    return found


def collatz(number):
    while number != 1:
        yield number
        number = 3 * number + 1 if number % 2 else number // 2


def tell(name):
    print(f"{name} was here")
