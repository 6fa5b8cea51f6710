"""A made-up class of 40, their work, the export of each LMS, and readers of its sheets for marks.

The package imports nothing of `grader`, so that it can prove it.

    task         the spec `figures`, and planted secrets
    programs     the programs of students, with the marks that they are worth
    people       the 40, each with an oddity, their ids in each LMS, and their attempts
    rendered     the path of a layout, and what it says of each attempt
    zips         archives with every detail fixed
    every        all layouts and all sheets by name, for tests of each of them
    rosters      lists of the class, as each LMS writes them
    layouts/     one module for each LMS: its export of all submissions
    sheets/      one module for each LMS: the sheet for marks, and a reader by the LMS's own rules

Sources are named in each module.  "Public parsers agree" means that no source of the LMS is public: the
layout is what programs in public repositories read.  "From memory" means that no source was found.
"""
