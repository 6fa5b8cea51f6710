"""Tries attacks on this host, and tells which guarantees its sandbox keeps."""
