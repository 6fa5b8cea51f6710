def seal(word):
    if not word:
        raise ValueError("no word")
    return f"{word[::-1]}{sum(map(ord, word)) % 10_000:04}"


def longest(*words, key=len):
    return max(words, key=key)
