"""What a run found out, kept: `results.json` and the files that must appear whole."""
