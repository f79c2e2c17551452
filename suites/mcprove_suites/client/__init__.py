"""Checks of clients, a file per area."""
