"""Benchmarks of keyword indexing and search: `index`, `search` and `exact`.

`keyword_engines` and `whoosh_engines` wrap the compared engines, all over `plain_text`; `keyword_queries` draws the
queries, `load` measures concurrent clients, `search_latency` the latency of a search. `stock_index` is stock Whoosh
behind the product's interface, `whoosh_reading` Whoosh over the product's segments: tests compare with both.
"""
