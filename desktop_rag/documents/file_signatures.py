"""The first bytes of the formats that more than one module recognises."""

PDF = b"%PDF-"
ZIP = b"PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # compound files: old Office files, Outlook mails, encrypted packages
RTF = b"{\\"  # without the name "rtf", which some programs leave out
