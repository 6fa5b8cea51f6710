def has_x(answer):
    return None if answer["x"] else "there is no x"


def never_ends(answer):
    while True: pass


def plays(turns, count):
    return turns[count][0]
