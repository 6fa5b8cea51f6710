"""Judging: from the evidence about a case to its verdict.  No process, no file, no clock."""
