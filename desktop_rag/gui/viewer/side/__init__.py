"""The side panel of a document: outline, thumbnails, matches and bookmarks.

`document_side` splits document and panel and fills the `side_panel` on first use; `side_rows` draws the rows of all
lists (`outline`, the matches, and the bookmark list of `bookmarks`).
"""
