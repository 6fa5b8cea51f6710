def has_double(xs):
    for i in range(len(xs)):
        for j in range(i):
            if xs[i] == xs[j]:
                return True
    return False
