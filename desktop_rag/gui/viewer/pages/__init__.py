"""Printed pages: rendering in the background, glyphs, selection, marks."""
