"""What crosses between trusted processes and the one that runs student code: values and frames."""
