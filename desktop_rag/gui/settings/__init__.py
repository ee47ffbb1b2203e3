"""The settings dialog: models, method, limits, appearance, folders, search by meaning, programs, privacy and more.

Begin with `settings_control`: it holds the settings, writes them, and opens `settings_dialog`. `profiles_page` edits
the endpoints with `profile_editor` and `endpoint` (fields, connection test); `settings_pages` holds simple pages, made
of `page_parts`; the dialog finds a setting on them. `settings_exchange` exports and imports, and shows what will change
before. `control/insight_control` fills `encoder_page`, the privacy page and the page of `diagnostics`;
`programs_control` adds the library's server to the programs of `programs_page`. The dialog edits values only: the
controls use files, keychain and network in the background.
"""
