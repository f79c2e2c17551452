"""A compact server and client that keep every rule, and can be told to break one."""
