def count(name):
    return len(open(name).read().split())


def add(name, word):
    with open(name, "w") as file:
        file.write(word + "\n")


def by_length(words):
    found = {}
    for word in words:
        found[str(len(word))] = found.get(str(len(word)), []) + [word]
    return found
