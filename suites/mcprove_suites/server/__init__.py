"""Checks of servers, a file per area."""
