"""What may be sent to endpoints, and what was: rules on the privacy page, a question about new hosts, the record.

`rules_editor` edits `PrivacyOptions`, `host_dialog` asks before the first request to a host, `sent_dialog` shows the
privacy ledger, which `sent_control` reads in the background.
"""
