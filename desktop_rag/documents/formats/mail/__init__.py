"""Readers of mail: single messages (.eml, .msg), mailboxes, Outlook data files, and their attachments.

`mime` parses Internet mail into a `MailMessage`; `outlook` and `pst` do so for the properties of Outlook (`mapi`,
`mapi_mail`). `mail_message` appends it to a document. Signed mail is unwrapped.
"""
