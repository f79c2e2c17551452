"""The checks that judge servers and clients."""
