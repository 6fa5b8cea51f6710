"""Turns exercises of Exercism's Python track into specs, and compares the verdicts with their unittests."""
