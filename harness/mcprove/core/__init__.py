"""The wire without any I/O: bytes in, messages and events out."""
