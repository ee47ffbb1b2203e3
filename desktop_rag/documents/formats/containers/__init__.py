"""Readers of archives and packed files: what is in them is read as if it lay beside them."""
