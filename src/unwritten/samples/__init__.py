"""Samples: small generated data to try the library on."""
