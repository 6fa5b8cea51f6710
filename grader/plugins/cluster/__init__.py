"""Marks submissions on many machines, through a Dask scheduler.  Needs the `cluster` extra."""
