"""grader marks Python coursework: spec, sandbox, verdict, mark, report.

This module only names the version.  The layers below it, from the bottom up, are
`model`, `spec` and `intake`, `wire`, `worker`, `sandbox`, `judge`, `marking`, `store`,
`engine`, `reports` and `exports`, `cli`; see `docs/design/architecture.md`.
"""

__version__ = "0.1.0"
