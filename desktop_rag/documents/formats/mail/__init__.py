"""Readers of mails: single ones, mailboxes, and what is attached to them."""
