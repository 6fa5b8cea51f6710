"""Reads packages of contest problems: Kattis' and ICPC's problem package, and DMOJ's `init.yml`.

A package is data, limits, a way to compare, and programs with declared results.  It becomes a spec with a
folder of the same name beside it, which holds the data, and the programs in `right/` and `wrong/`.
"""
