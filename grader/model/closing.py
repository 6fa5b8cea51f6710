"""Context managers that are closed at their end."""

from typing import Self


class Closing:
    """Closed where its `with` ends."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
