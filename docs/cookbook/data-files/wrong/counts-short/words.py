def count(name):
    return len(set(open(name).read().split()))


def add(name, word):
    lines = open(name).readlines()
    with open(name, "w") as file:
        file.writelines(lines + [word + "\n"])


def by_length(words):
    return {str(len(word)): word for word in words}
