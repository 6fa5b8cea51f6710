"""The processes that run student code: the zygote, the keeper of a box, and the box itself.

This is the only part of grader that runs beside student code.  So it is small, imports nothing but
the standard library and `grader.wire`, and is meant to be reviewed alone.  `zygote` describes its
processes.
"""
