"""What we know about the folders, on disk: one truth, the catalog, and its copies for searching.

- `catalog`: the truth in SQLite. `keywords`, `vectors`, `links`: copies that follow its change log, each up to its
  `records.Watermark`.
- `folders`: the user's folders: rules, scan, watch. `encoding`: sentences to vectors.
  `documents.chunking` cuts the texts into chunks.
- `indexer`: the process that writes all of it. `library_client` connects to it or starts it, by `indexer_client`;
  `indexer_api` has its requests.
- `library`: what lies where in a library. `libraries`: which there are. `records`: rows as values, and ids.
- `file_rows`: the list of all files, as queries and values.
- `integrity_check`, `recovery`, `repair`: find damage, notice an unclean end, mend.
"""
