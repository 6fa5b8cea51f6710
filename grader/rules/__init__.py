"""Static rules on source: searches in a submission's syntax trees.

A program for a box of its own: our code over hostile text, never beside the student's code and never
running it.  Parsing and walking such a text can take very long or end an interpreter, which then ends
that box alone.  The cost of a finding is decided elsewhere.
"""
