"""The decoders, one for each part of a spec: a task, a question, a case, a rule, limits, penalties."""
