"""The pages of a course, and the sheet of its gradebook."""
