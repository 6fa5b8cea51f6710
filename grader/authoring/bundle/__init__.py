"""Makes the handout for students: what they may see of a spec, and no byte of the rest.

It is written from the task as it was decoded, from a list of the fields that are allowed: neither the text of
the spec nor any file beside it is copied, but for `handout/`.
"""
