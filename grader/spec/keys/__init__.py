"""The keys of a spec, one table for each kind of mapping: how each value is read, and what it means.

The only list of what a spec may hold.  The decoders read with it, and `grader.spec.schema` makes the
reference part of `docs/spec.md` and the JSON Schema for editors of it.
"""
