"""The digest of texts and bytes."""

from grader.model.digest import digest as digest_of


def digest(*parts: str | bytes) -> str:
    """Return the SHA-256 of the parts, in hexadecimal."""
    return digest_of(
        part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part for part in parts
    )
