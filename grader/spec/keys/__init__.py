"""The keys of a spec, one table for each kind of mapping: how each value is read, and its meaning.

This is the only list of the keys.  The decoders read with it, and `grader.spec.schema` generates the
reference part of `docs/spec.md` and the JSON Schema for editors from it.
"""
