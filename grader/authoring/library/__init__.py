"""Libraries of tasks: folders from which a task is copied, ours and those of others.

A task is a spec `NAME.yaml`, the folder `NAME/` beside it, and the page `NAME.md`.  Read `library` first.
"""
