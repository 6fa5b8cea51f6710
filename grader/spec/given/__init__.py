"""Draws the inputs of generated cases: strategies on Hypothesis, and the spec's own functions."""
