"""Cases that look at the source.  All rules of a task look at once, before any case runs; see `looking`."""
