from knight1 import Right


def one_tour_pred(dim, path, n, f):
    return Right()
