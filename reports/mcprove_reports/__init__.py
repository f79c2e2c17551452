"""The event stream of a run and the reports made of it."""
