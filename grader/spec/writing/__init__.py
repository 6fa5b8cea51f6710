"""Writes parts of a task as a spec says them: values, calls and cases, as keys and as YAML."""
