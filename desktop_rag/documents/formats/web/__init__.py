"""Readers of web pages, and of what is written as they are: mails, chapters of e-books, outputs of notebooks."""
