"""Reads one part of a spec each: a task, a question, a case, a rule, limits, penalties."""
