"""Rules of a course on readable programs."""

from grader.api.rules import NamedRule

NO_BIT_TRICKS = NamedRule(
    rule='{forbidden constructs: {patterns: ["$A ^ $B", "$A << $B"], hint: Write it with + and *.}}',
    meaning="no arithmetic by single bits",
)
