"""Marks by hand in a browser, and in a sheet: what a marker sees and changes, and the file that holds it."""
