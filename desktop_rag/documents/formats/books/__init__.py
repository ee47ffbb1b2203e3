"""Readers of e-books: chapters of text (EPUB, FictionBook) and fixed pages (XPS, MOBI, comics)."""
