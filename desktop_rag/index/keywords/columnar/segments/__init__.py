"""Segments on disk: building, writing, merging, and the table that names them."""
