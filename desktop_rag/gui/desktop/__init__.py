"""What the program shares with the desktop around it.

- `link_control`: follows `desktop-rag://` links from other programs; `text/desktop_links` reads and makes them.
- `notice_control`: when to tell of something; `notifications`, `notification_service`: how.
- `system_motion`: whether the system wants no animations.
"""
