"""Marking: from verdicts to marks.  Pure arithmetic on exact fractions."""
