"""The source of one module: the names it binds, their origins, the code that can run."""
