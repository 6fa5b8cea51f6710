"""A course: what its file says about tasks and people, and the term's arithmetic."""
