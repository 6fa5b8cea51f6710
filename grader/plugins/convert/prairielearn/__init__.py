"""Reads a question of PrairieLearn that its Python autograder marks."""
