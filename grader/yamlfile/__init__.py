"""YAML files that people write: nodes with their places, tables of keys, mistakes at line and column."""
