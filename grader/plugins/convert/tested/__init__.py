"""Test suites of TESTed, the judge of Dodona."""
