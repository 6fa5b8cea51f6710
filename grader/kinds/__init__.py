"""The kinds of cases, one package each; `kind` is the page to read first."""
