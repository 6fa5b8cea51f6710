"""Inputs: those of a question's cases, their parts, and the changes that make new ones of them."""
