"""The layouts in which submissions come: what an LMS's download, by its names, says of each file.

`recognise` tells which layout a folder or zip has, or refuses one that is not sure.  Where no LMS has given
names, `plain` tells one student's folder from a folder of students.
"""
