"""What runs on the far side: the zygote, the keeper of a box, and the box with student code.

The only part of grader that runs beside student code, so it is small, imports nothing but
the standard library and `grader.wire`, and is meant to be reviewed alone.  `zygote` tells
how its processes hang together.
"""
