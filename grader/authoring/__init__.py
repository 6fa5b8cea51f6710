"""What helps to write a spec."""
