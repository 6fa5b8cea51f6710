# Aufgabe 1: Züge, alle Touren, erste Tour
# Übung von Jürgen -- Läufer und Türme kommen später

def is_legal(dim, path, x):
	if x[0] not in range(dim) or x[1] not in range(dim):
		return False
	return x not in path


def legal_moves(dim, path, x):
	a, b = x
	züge = [(a + 1, b + 2), (a + 2, b + 1), (a + 2, b - 1), (a + 1, b - 2),
			(a - 1, b - 2), (a - 2, b - 1), (a - 2, b + 1), (a - 1, b + 2)]
	return [z for z in züge if is_legal(dim, path, z)]


class Brett:

	def __init__(self, dim, path):
		self.dim = dim
		self.frei = {(x, y) for x in range(dim) for y in range(dim)} - set(path)
		self.nachbarn = {(x, y): legal_moves(dim, [], (x, y)) for x in range(dim) for y in range(dim)}

	def grad(self, feld):
		return len([n for n in self.nachbarn[feld] if n in self.frei])

	def weiter(self, feld):
		"""Die Felder, auf die man ziehen darf, ohne ein anderes abzuschneiden."""
		felder = [n for n in self.nachbarn[feld] if n in self.frei]
		if len(felder) < 2:
			return felder
		enge = [n for n in felder if self.grad(n) <= 1]
		if len(enge) > 2:
			return []
		return enge if len(enge) == 2 else felder


def touren(brett, path):
	if not brett.frei:
		yield list(path)
		return
	for zug in brett.weiter(path[0]):
		brett.frei.remove(zug)
		yield from touren(brett, [zug] + path)
		brett.frei.add(zug)


def count_tours(dim, path):
	return len(enum_tours(dim, path))


def enum_tours(dim, path):
	if dim % 2 == 1 and sum(path[-1]) % 2 == 1:
		return []   # falsche Farbe für den Anfang
	return list(touren(Brett(dim, path), path))


def first(xs, f):
	i = 0
	while i < len(xs):
		ergebnis = f(xs[i])
		if ergebnis is not None:
			return ergebnis
		i += 1
	return None


def first_tour(dim, path):
	if dim % 2 == 1 and sum(path[-1]) % 2 == 1:
		return None
	brett = Brett(dim, path)

	def suche(path):
		if not brett.frei:
			return path
		for zug in sorted(brett.weiter(path[0]), key=brett.grad):
			brett.frei.remove(zug)
			tour = suche([zug] + path)
			if tour is not None:
				return tour
			brett.frei.add(zug)
		return None

	return suche(path)
