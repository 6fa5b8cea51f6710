"""A made-up class of 40, what each of them handed in, and how each LMS hands that out and takes marks back.

The package imports nothing of `grader`, so that it can prove it.

    task         the spec `figures`, and planted secrets
    programs     what students wrote, with the marks that it is worth
    people       the 40, each with an oddity, their ids in each LMS, and what they handed in
    rendered     what a layout says of each attempt, beside the path of the layout
    zips         archives with every detail fixed
    every        all layouts and all sheets by name, for tests of each of them
    rosters      lists of the class, as each LMS writes them
    layouts/     one module for each LMS: its export of all submissions
    sheets/      one module for each LMS: the sheet for marks, and a reader by the LMS's own rules

Sources are named in each module.  "Public parsers agree" means that no source of the LMS is public: the
layout is what programs in public repositories read.  "From memory" means that no source was found.
"""
