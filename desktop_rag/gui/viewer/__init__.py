"""The document viewer: citations, sources and bookmarks opened at their lines, one tab per document.

Begin with `tabs/viewer_panel.py` (opens a `Target`, keeps the history) and `tabs/document_tab.py` (one document).

- `viewer_events` (targets, the history of places, what jobs report), `document_loading`: background jobs that resolve a
  target to the current document, read it in parts, mark the quoted words (`text.locate.mark_quote`) and diff a changed
  passage.
- `document_view`: the protocol all views share, and what they ask of the window; every position is a catalog line
  number.
- `pages` (printed pages), `clean` (one laid out page), `table` (spreadsheets), `text` (numbered lines): the views.
- `open_documents`: what is open and what was opened last, stored for the next start.
- `tabs`, `side`, `bookmarks`: the widgets around a view; bookmarks are read and written in the background.

Jobs run in `LatestOnlyWorker`s, pages are rendered by the child process of `pages/render_service.py`: nothing in this
package reads a file or the library in the window's thread, and painting touches the visible part only.
"""
