"""A batch that takes minutes if it is not interrupted: its programs never come to an end."""

SPEC = """\
task: slow
title: Slow
marks: 1
modules: {slow: slow.py}
questions:
  - id: "1"
    title: spin
    marks: 1
    limits: {time: 60s}
    cases:
      - call: spin()
        returns: 1
"""
WORK = "def spin():\n    while True:\n        pass\n"


def files(students: int) -> dict[str, str]:
    """Return the spec and so many submissions, by path."""
    batch = {f"batch/student-{number:02}/slow.py": WORK for number in range(students)}
    return {"slow.yaml": SPEC, **batch}
