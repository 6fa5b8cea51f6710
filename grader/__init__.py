"""grader marks Python coursework: spec, sandbox, verdict, mark, report.

This module only names the version.  `docs/design/architecture.md` shows the layers and rooms.
"""

__version__ = "0.1.0"
