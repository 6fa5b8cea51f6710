"""What a task brings along that can run, where a student checks a task that nobody named."""
