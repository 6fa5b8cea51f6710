"""What there is of each family, by name: ours, and what installed plugins bring.  Read `groups` first."""
