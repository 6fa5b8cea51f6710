"""The evidence of earlier runs, and the keys that tell whether it still holds."""
