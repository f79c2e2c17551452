"""An empty pytest plugin; that it is loaded tells that our own command runs pytest."""
