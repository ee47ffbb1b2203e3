"""The catalog: the SQLite database from which every index can be rebuilt; the only package with SQL on it.

`Catalog` (writing, opened by the indexer only) and `CatalogReader` (everyone else) give access by aggregate:
`folders`, `files`, `contents`, `texts`, `chunks`, `encoders`, `vectors`, `links`, `change_log`. Start with
`catalog_schema`, which explains the tables (such as `file`, with the reason why a file was not read), then read the
modules of an aggregate: `…_table` queries it, `…_writer` changes it. `quarantine` and `ocr_results` are
functions on a catalog; `listing` has the lists and counts of files.

Do not change: the format (see `FORMAT`); one short query per method of a reader, so that no read transaction lasts; ids
are never reused; every change of chunks is in the change log.
"""
