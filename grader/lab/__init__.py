"""The bench that kinds of cases run on: boxes, the oracle, evidence, and what all submissions share."""
