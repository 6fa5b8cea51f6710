# Aufgabe 3: sehr große Bretter

def züge(dim, frei, x):
	a, b = x
	alle = [(a + 1, b + 2), (a + 2, b + 1), (a + 2, b - 1), (a + 1, b - 2),
			(a - 1, b - 2), (a - 2, b - 1), (a - 2, b + 1), (a - 1, b + 2)]
	return [z for z in alle if z in frei]


def tour_on_mega_board(dim, path):
	frei = {(x, y) for x in range(dim) for y in range(dim)} - set(path)
	# die Wege als verkettete Paare, damit nichts kopiert wird
	weg = None
	for feld in reversed(path):
		weg = (feld, weg)
	stapel = [(weg, len(path))]
	aktuell = []
	while stapel:
		weg, länge = stapel.pop()
		# zurück bis zu der Stelle, an der dieser Weg abzweigt
		while aktuell and aktuell[-1][1] >= länge:
			frei.add(aktuell.pop()[0])
		if länge > len(path):
			frei.discard(weg[0])
			aktuell.append((weg[0], länge))
		if länge == dim * dim:
			tour = []
			while weg is not None:
				tour.append(weg[0])
				weg = weg[1]
			return tour
		zug_liste = sorted(züge(dim, frei, weg[0]), key=lambda z: len(züge(dim, frei, z)))
		for zug in reversed(zug_liste):
			stapel.append(((zug, weg), länge + 1))
	return None
