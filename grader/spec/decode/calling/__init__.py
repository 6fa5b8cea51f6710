"""The calls of a case, with their arguments, and the inputs that are drawn for them."""
