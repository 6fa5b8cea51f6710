"""The walls of a box: namespaces, Landlock, seccomp, limits and what Linux offers for them."""
