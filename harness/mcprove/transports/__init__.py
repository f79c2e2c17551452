"""Thin shells that carry bytes between the core and a target."""
