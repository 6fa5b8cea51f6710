"""Records that people and the LMS keep about submissions: times, and marks given by hand.

They are read from files that the marker names or keeps, never from a file in a student's own work: a student
could choose their own time and mark.
"""
