"""Readers of mail: single messages (.eml, .msg), mailboxes, and their attachments.

`mime` and `outlook` parse the two kinds of files into a `MailMessage`; `mail_message` appends it to a document.
"""
