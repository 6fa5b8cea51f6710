"""The content of pages: plain values made from results, for an audience."""
