def count(name):
    return sum(len(line.split()) for line in open(name).readlines())


def add(name, word):
    file = open(name, "a")
    file.write(word + "\n")
    file.close()


def by_length(words):
    lengths = {len(word) for word in words}
    return {str(length): [word for word in words if len(word) == length] for length in lengths}
