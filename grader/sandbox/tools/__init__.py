"""Other programs over source text: rule boxes, ruff and ast-grep, in a cell of their own."""
