"""Cases that call functions: one call, many together, a scenario, or inputs that are drawn or listed."""
