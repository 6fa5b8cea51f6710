"""Static rules on source: searches in a submission's syntax trees.

They run in a box of their own: our code over hostile text, never beside the student's code and never running
it.  Parsing and walking such a text can take very long or end an interpreter, which then ends that box alone.
Other code decides what a finding costs.
"""
