"""Bookmarks and notes in the viewer."""
