def count(name):
    with open(name) as file:
        return len(file.read().split())


def add(name, word):
    with open(name, "a") as file:
        print(word, file=file)


def by_length(words):
    found = {}
    for word in words:
        found.setdefault(str(len(word)), []).append(word)
    return found
