"""What the program shares with the desktop around it.

- `notifications`, `notification_service`: how something is told outside of the window (`control/notice_control`: when).
- `tray_icon`; `login_start`: start at login.
- `global_hotkey`, `key_grab`: a key that opens the window from anywhere, on X11.
- `system_motion`: whether the system wants no animations.
"""
