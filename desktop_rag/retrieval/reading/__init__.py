"""Reading: texts to show, and lists of documents.

- `highlights`: the matches of a query in a text; `snippets`: the sentences to show of a chunk.
- `find`: substrings in one document; `diff`: two documents compared by sentences.
- `attached_documents`: what conversations have attached, and how far it has been read.
- `document_list`: documents by their names; `related`: passages related to a passage.
"""
