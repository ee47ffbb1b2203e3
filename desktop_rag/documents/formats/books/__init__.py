"""Readers of e-books: chapters (EPUB, FictionBook, help), fixed pages (XPS, MOBI, comics), text layers (DjVu)."""
