"""A plugin of grader that brings one thing to each family."""
