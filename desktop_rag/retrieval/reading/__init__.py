"""Reading: texts to show, and lists of documents.

- `find`: substrings in one document, and lines of several; `diff`: two documents compared by sentences.
- `scope_documents`: what conversations have attached, and how far it has been read; `facets`: counts by type, year ….
- `document_list`: documents by their names; `related`: passages related to a passage.
"""
