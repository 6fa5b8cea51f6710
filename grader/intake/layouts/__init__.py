"""The layouts in which submissions come: what an LMS's download, by its names, says of each file.

`recognise` tells which layout a folder or zip has, or refuses one that is not sure.  `layout` beside this
package tells one student's plain folder from a folder of students, where no LMS has given names.
"""
