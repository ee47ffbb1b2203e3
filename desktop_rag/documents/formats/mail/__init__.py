"""Readers of mail: single messages (.eml, .msg), mailboxes, and their attachments.

`mime` parses Internet mail, `outlook` and `tnef` Outlook's (`mapi`, `mapi_mail`), into a `MailMessage`; `mail_message`
appends it to a document. `signed` unwraps what is signed.
"""
