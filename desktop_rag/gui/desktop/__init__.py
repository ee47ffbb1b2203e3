"""What the program shares with the desktop around it.

- `desktop_control`: composes the rest and connects it with the window.
- `link_control`: follows `desktop-rag://` links from other programs; `text/desktop_links` reads and makes them.
- `notice_control`: when to tell of something; `notifications`, `notification_service`: how.
- `tray_icon`; `login_start`: start at login.
- `global_hotkey`, `key_grab`: a key that opens the window from anywhere, on X11.
- `system_motion`: whether the system wants no animations.
"""
