"""What people and the LMS write down about submissions: when they came, and marks by hand.

Read from files that the marker names or keeps.  No file inside a student's own work is ever one
of them: it would let a student choose their own time and mark.
"""
