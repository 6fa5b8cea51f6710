"""Helpers of the tests: what several of them use."""
