"""Readers of HTML: web pages, and the HTML inside mails, e-books and notebooks.

`html_page` parses, `html_text` extracts the text, `boilerplate` recognises menus and cookie notices, `html_tables`
distinguishes data tables from layout tables.
"""
