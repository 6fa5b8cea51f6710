"""A problem of DMOJ: its `init.yml`, its tests, and the programs that judge."""
