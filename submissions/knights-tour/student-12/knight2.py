# Aufgabe 2: Warnsdorffs Regel für größere Bretter

def züge(dim, besucht, x):
    a, b = x
    alle = [(a + 1, b + 2), (a + 2, b + 1), (a + 2, b - 1), (a + 1, b - 2),
            (a - 1, b - 2), (a - 2, b - 1), (a - 2, b + 1), (a - 1, b + 2)]
    return [(c, d) for c, d in alle if 0 <= c < dim and 0 <= d < dim and (c, d) not in besucht]


def ordered_moves(dim, path, x):
    besucht = set(path) | {x}
    paare = [(len(züge(dim, besucht, z)), z) for z in züge(dim, besucht, x)]
    paare.sort(key=lambda paar: paar[0])
    return [z for _, z in paare]


def suche(dim, path, geschlossen):
    besucht = set(path)
    weg = list(path)
    offen = [ordered_moves(dim, besucht, weg[0])]
    weg.reverse()
    while offen:
        if len(weg) == dim * dim:
            (a, b), (c, d) = weg[0], weg[-1]
            if not geschlossen or {abs(a - c), abs(b - d)} == {1, 2}:
                weg.reverse()
                return weg
        if offen[-1]:
            zug = offen[-1].pop(0)
            weg.append(zug)
            besucht.add(zug)
            offen.append(ordered_moves(dim, besucht, zug))
        else:
            offen.pop()
            besucht.discard(weg.pop())
    return None


def first_closed_tour_heuristics(dim, path):
    return suche(dim, path, True)


def first_tour_heuristics(dim, path):
    return suche(dim, path, False)
