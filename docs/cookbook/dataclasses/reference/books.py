from dataclasses import dataclass, replace
from enum import Enum


class Genre(Enum):
    Novel = 1
    Verse = 2


@dataclass(frozen=True)
class Book:
    title: str
    genre: Genre
    pages: int


def longer(first, second):
    return max(first, second, key=lambda book: book.pages)


def without_pages(books, pages):
    return [replace(book, pages=0) if book.pages == pages else book for book in books]


def by_genre(books):
    return {genre: [book for book in books if book.genre is genre] for genre in Genre}
