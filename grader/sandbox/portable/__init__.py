"""The `portable` driver: a plain Python process for each case, on hosts without fork and signals.

The grader itself keeps these boxes, with the keeper of all other drivers (`grader.worker.keeper.keeper`), in
a thread.  No wall is built: student code can do here all that its user can.  So this serves a student's check
of their own work, and never a mark (`docs/design/portable.md`).
"""
