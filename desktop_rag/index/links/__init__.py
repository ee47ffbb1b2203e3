"""Links between texts and documents, extracted while a library is indexed.

`mentions` extracts names and link targets from text, `link_sync` stores their keys for new chunks, `neighbours` follows
the links of a chunk when a search is ranked. The tables are in `catalog.link_tables`. Start with `neighbours`.

Do not change what `mentions` extracts without raising `link_sync.VERSION`: all links are then extracted again.
"""
