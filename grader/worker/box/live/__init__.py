"""The live objects of a program, for tests that run in another process."""
