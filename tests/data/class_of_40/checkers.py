"""The checkers of the task `figures`."""


def one_of_the_longest(answer, among):  # planted-checker-8061
    """Accept each of the longest words."""
    return answer in among and len(answer) == max(map(len, among))
