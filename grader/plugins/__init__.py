"""What stands behind the entry points, as the plugins of others do; no other package imports these."""
