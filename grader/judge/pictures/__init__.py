"""Renderers: turn an answer and the expected one into pictures as plain data.

`renderer` says what one is; the modules of boards and images have ours.  They get values that students made,
so each reads a bounded part of them, and by exact type.  A spec's own renderers run in the oracle's sandbox,
and `vocabulary` reads their results.
"""
