"""From a task and submissions to results: one submission, a batch, and what drives them."""
