"""What the program shares with the desktop around it.

- `notifications`: how something is told outside of the window (`control/desktop_control`: when).
- `tray_icon`; `login_start`: start at login.
- `global_hotkey`: a key that opens the window from anywhere, on X11.
- `system_motion`: whether the system wants no animations.
"""
