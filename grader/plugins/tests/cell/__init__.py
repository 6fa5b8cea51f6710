"""Runs test files in a cell: pytest, and modules that stand for a program in another process.

The grader never imports this package.  Its text is loaded into a box, beside the test files.
"""
