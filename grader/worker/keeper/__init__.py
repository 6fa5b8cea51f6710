"""Beside a box: keeps its limits, runs a process for each case, passes messages on."""
