"""Small programs kept as data: one text file of many, each under a heading of its own."""

from pathlib import Path

_DATA = Path(__file__).parents[1] / "data"


def snippets(name: str) -> dict[str, str]:
    """Read the programs of a file below `data/` by their headings, lines that begin with `## `."""
    found: dict[str, str] = {}
    for section in (_DATA / name).read_text(encoding="utf-8").split("\n## ")[1:]:
        heading, _, program = section.partition("\n")
        assert heading not in found, heading
        found[heading] = program.strip("\n") + "\n"
    assert found
    return found
