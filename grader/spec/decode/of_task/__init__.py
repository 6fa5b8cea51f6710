"""The parts of a spec for a whole task or question: names, files, limits, rules, the policy of marks."""
