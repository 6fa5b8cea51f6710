"""The parts of a run that a forge shows: annotations, summaries, points, code quality."""
