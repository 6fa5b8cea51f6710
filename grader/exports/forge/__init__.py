"""What a forge shows of a run: annotations, summaries, points, code quality."""
