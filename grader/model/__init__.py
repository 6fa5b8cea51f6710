"""The nouns of marking, as frozen data: no input, no output, no behaviour that can fail."""
