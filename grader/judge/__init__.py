"""Judging: what the evidence about a case means.  No process, no file, no clock."""
