"""The panel of tabs and what a tab consists of.

`viewer_panel` opens targets, keeps the history and adds bookmarks; `document_tab` connects the parts of one document:
`tool_row` with the header, `find_bar`, `banner` with the stored passage, and `document_body`, which switches between
the views and decides which words copying and bookmarking apply to, with `document_side` beside it. The panel makes the
next tab while a preview is looked at.
"""
