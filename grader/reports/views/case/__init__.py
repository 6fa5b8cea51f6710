"""One case: its facts, differences, lines of source, and cases with one cause."""
