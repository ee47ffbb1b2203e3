"""Reading: texts to show, and lists of documents.

- `find`: substrings in one document, and lines of several; `diff`: two documents compared by sentences.
- `attached_documents`: what conversations have attached, and how far it has been read; `scope_documents`: filters as a
  scope; `facets`: counts by type, year ….
- `document_list`: documents by their names; `related`: passages related to a passage.
"""
