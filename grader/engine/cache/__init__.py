"""What an earlier run found out, and when it still holds."""
