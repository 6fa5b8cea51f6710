def sorted_numbers(random, most):
    count = random.randint(0, 5)
    return sorted(random.randint(0, most) for _ in range(count))


def as_long_as(answer, xs, ys):
    return isinstance(answer, list) and len(answer) == len(xs) + len(ys)
