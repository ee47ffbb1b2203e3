"""Segments of the columnar index: their arrays, files, building, merging, and the table of contents.

`segment` and `vocabulary` read the memory-mapped arrays; `posting_arrays` has the operations on postings. New
documents go through `token_batches` (analysis, interning) and `segment_building` (one sort a field) into a
`segment_file` with checksums. `segment_table` lists them; `segment_merging` merges them in short steps.
"""
