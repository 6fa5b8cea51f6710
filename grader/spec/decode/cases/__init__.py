"""The kinds of case, and the keys that make one of its own: inputs, sizes, a harness, a pace."""
