"""The panel of tabs and what a tab consists of.

`viewer_panel` opens targets and keeps the `place_history`; `document_tab` connects the parts of one document:
`tab_header`, `tool_row`, `find_bar`, `banner` with `stored_passage`, and `document_body`,
which switches between the views, with `document_side` beside it and its bookmarks (`bookmarking`). `target_picker`
decides which words copying and bookmarking apply to. The panel makes the next tab while a preview is looked at.
"""
