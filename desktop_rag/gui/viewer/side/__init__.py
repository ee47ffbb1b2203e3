"""The panels beside a document: outline, thumbnails, hits, bookmarks."""
