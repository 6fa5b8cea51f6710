"""Static rules on source: what is looked for in a submission's syntax trees.

A program for a box of its own: our code over hostile text, never beside the student's code and never
running it.  Parsing and walking such a text can take for ever or end an interpreter, which then ends
that box alone.  Nothing here decides what a finding costs.
"""
