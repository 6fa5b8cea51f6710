"""The proof of a spec: before anybody is marked, the reference is marked by every case, and must pass."""
