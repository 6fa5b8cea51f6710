"""Asks people on the terminal."""

import sys

import click


def agreed(question: str) -> bool:
    """Ask on the terminal.  Raises `click.UsageError` where there is none."""
    if not sys.stdin.isatty():
        raise click.UsageError("there is no terminal to ask on; look at what changes, and then say --yes")
    return click.confirm(question, err=True)
