"""Controls that connect parts of the window with each other: the composition knows them.

- `desktop_control`: hotkey, tray, start at login, links, notices, and files opened in other programs.
- `insight_control`: fills the pages of the settings with what the library knows.
"""
