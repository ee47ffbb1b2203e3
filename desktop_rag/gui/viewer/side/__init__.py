"""The side panel of a document: outline, thumbnails, matches and bookmarks.

`side_panel` is filled on first use (`tabs.document_side`) and draws the rows of all lists: outline, guide, matches, and
those of `bookmarks`.
"""
