"""How the files of a download are named: a module for each LMS."""
