def all_divisors(answer, of):
    expected = [number for number in range(1, of + 1) if of % number == 0]
    if not isinstance(answer, list):
        return "a list is due"
    if set(answer) != set(expected):
        return f"these are not the divisors of {of}"
    return None if answer == expected else (0.5, "the order is not ascending")
