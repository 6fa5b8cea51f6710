"""The checks of a validation: verdicts of programs, mutants, limits, steadiness, and the use of each case."""
