"""The page of a cohort."""
