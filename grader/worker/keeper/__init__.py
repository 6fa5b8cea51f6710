"""The keeper of a box: enforces limits, runs a process for each case, passes messages on."""
