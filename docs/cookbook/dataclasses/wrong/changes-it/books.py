from dataclasses import dataclass
from enum import Enum


class Genre(Enum):
    Novel = 1
    Verse = 2


@dataclass
class Book:
    title: str
    genre: Genre
    pages: int


def longer(first, second):
    return first.title if first.pages > second.pages else second.title


def without_pages(books, pages):
    for book in books:
        if book.pages == pages:
            book.pages = 0
    return books


def by_genre(books):
    return {genre.name: [book for book in books if book.genre is genre] for genre in Genre}
