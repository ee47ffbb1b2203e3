"""Readers of e-books: texts in chapters, and books of pages."""
