"""Sentence vectors: a copy of the catalog's vectors in memory-mapped shards, and nearest-neighbour search over them.

Begin at `vector_reader` (search) and `vector_sync` (replays the change log, encodes sentences). `vector_writer`
appends, removes, publishes and rewrites shards with many removed rows; `shards` are the files;
`vector_codes` is the int8 quantisation; a search compares all rows, or candidates by sign bits.

Rows count only once the header (replaced by a rename, with checksums) counts them; everything can be deleted and
comes back from the catalog. `shards.FORMAT` is the version of the files.
"""
