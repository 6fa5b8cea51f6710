"""`grader library`: lists the tasks of a library, and checks each: licence, copy, validation, figures."""
