"""Works that are alike: a hint for a person, never a mark."""
