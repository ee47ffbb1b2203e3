"""Readers of HTML: web pages, and the HTML inside mails, e-books and notebooks.

`html_page` parses, `html_text` extracts the text and distinguishes data tables from layout tables, `hidden_elements`
recognises menus and cookie notices.
"""
