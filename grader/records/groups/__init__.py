"""The works that people of one group share."""
