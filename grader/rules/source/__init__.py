"""What one module's source says: the names it binds, where they come from, the code that can run."""
