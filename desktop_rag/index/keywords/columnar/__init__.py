"""The columnar keyword engine: segments of sorted, memory-mapped arrays behind Whoosh's interfaces.

Begin at `columnar_keywords`, the writer and reader of a library. `columnar_index` opens a commit, `codec` shows
its segments to Whoosh's writer. `columnar_writer` commits by replacing the table of segments, `merge_policy` chooses
segments to merge. `segments/` builds, writes and merges them; `execution/` runs queries over them.

The file format is versioned in `segments/segment_table.FORMAT`; an index of another version is rebuilt,
except of the one before, whose segments are rewritten as they are merged.
"""
