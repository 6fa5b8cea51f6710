"""What a page shows: plain values made from results, for an audience."""
