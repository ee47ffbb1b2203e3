"""Links between texts and documents, extracted while a library is indexed.

`neighbours` extracts names and link targets from text, and follows the links of a
chunk when a search is ranked. `link_sync` stores their keys for new chunks. The tables are in `catalog.link_tables`.

Do not change what `neighbours` extracts without raising `link_sync.VERSION`: all links are then extracted again.
"""
