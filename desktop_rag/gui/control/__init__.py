"""Controls that connect parts of the window with each other: the composition knows them.

- `desktop_control`: hotkey, tray, start at login (`login_control`), links (`link_control`), notices (`notice_control`).
- `insight_control`: fills the pages of the settings with what the library knows; `external_programs`: opens files
  elsewhere.
"""
