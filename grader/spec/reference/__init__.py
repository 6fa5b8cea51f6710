"""The reference and the files beside a spec: the modules, functions and classes that they define."""
