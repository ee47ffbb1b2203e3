"""Readers of lightweight markup: the lines stay as in the file and get kinds, levels and an outline."""
