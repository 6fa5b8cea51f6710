# -*- coding: utf-8 -*-
from sys import stdin

def kandidaten(pos, n, besucht):
    z, s = pos
    felder = [(z+1,s+2),(z+2,s+1),(z+2,s-1),(z+1,s-2),(z-1,s-2),(z-2,s-1),(z-2,s+1),(z-1,s+2)]
    return [f for f in felder if 0 <= f[0] < n and 0 <= f[1] < n and f not in besucht]

def suche(n, anfang):
    weg = [anfang]
    besucht = set()          # der Anfang fehlt hier
    stapel = [sorted(kandidaten(anfang, n, besucht), key=lambda f: len(kandidaten(f, n, besucht)))]
    while len(weg) < n*n:
        if stapel[-1]:
            f = stapel[-1].pop(0)
            weg.append(f)
            besucht.add(f)
            stapel.append(sorted(kandidaten(f, n, besucht), key=lambda g: len(kandidaten(g, n, besucht))))
        else:
            stapel.pop()
            besucht.discard(weg.pop())
    return weg

eingabe = stdin.read().split()
n = next(int(w) for w in eingabe if w.lstrip('-').isdigit() and int(w) >= 5)
feld = next(w for w in eingabe if w[0].isalpha())
anfang = (ord(feld[0]) - ord('a'), int(feld[1:]))
if n % 2 and sum(anfang) % 2:
    print('Von hier gibt es keine Tour (no tour)')
else:
    weg = suche(n, anfang)
    print('-' * 5 * n)
    for z in range(n):
        print(' '.join('%4d' % (weg.index((z, s)) + 1 if (z, s) in weg else 0) for s in range(n)))
    print('-' * 5 * n)
