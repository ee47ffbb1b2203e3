"""Commands that serve the library to other programs."""
