"""Results in the form that an LMS, a forge or another tool takes; nothing is ever uploaded."""
