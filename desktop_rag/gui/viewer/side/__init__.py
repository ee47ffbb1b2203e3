"""The side panel of a document: outline, thumbnails, matches and bookmarks.

`side_panel` is filled on first use (`tabs.document_side`); `side_rows` draws the rows of all lists (`outline`, the
matches, and the bookmark list of `bookmarks`).
"""
