"""The times of submissions, from the files that people and LMSs write."""
