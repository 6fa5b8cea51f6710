"""Expressions in a spec: parsed, bounded and evaluated without running Python code."""
