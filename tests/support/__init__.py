"""Helpers that several test modules share; `docs/testing.md` lists them."""
