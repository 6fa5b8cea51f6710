import enum


class Genre(enum.Enum):
    Novel = "novel"
    Verse = "verse"


class Book:
    def __init__(self, title, genre, pages):
        self.title, self.genre, self.pages = title, genre, pages


def longer(first, second):
    return first if first.pages > second.pages else second


def without_pages(books, pages):
    return [Book(b.title, b.genre, 0 if b.pages == pages else b.pages) for b in books]


def by_genre(books):
    return {kind: [book for book in books if book.genre == kind] for kind in (Genre.Verse, Genre.Novel)}
