"""The sheets and files that an LMS takes back."""
