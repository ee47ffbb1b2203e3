"""One endpoint in the settings: its fields, its presets, what a test and the examination found out about it."""
