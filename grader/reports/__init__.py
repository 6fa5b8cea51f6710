"""What people and machines read, rendered from `results.json` alone: pages, sheets, terminal.

`render.render_all` writes everything; `audience` decides what a student sees; `escape` is
the one way for text from a submission into each medium.
"""
