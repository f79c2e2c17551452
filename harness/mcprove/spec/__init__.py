"""What the protocol says, as data."""
