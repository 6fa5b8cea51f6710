"""Values and frames that cross between trusted processes and the one that runs student code."""
