"""A file becomes text that remembers where it came from."""
