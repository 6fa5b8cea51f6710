"""The reference and the files beside a spec: which modules, functions and classes they define."""
