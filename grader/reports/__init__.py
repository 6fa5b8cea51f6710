"""Reports for people and machines, rendered from `results.json` alone: pages, sheets, terminal.

`render.render_all` writes everything; `audience` decides what a student sees; `escape` makes text from a
submission safe for each medium.
"""
