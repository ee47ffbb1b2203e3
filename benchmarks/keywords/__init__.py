"""Benchmarks of keyword indexing and search: `index`, `search` and `exact`.

`keyword_engines` and `whoosh_engines` wrap the compared engines, all over `plain_text`; `keyword_queries` draws the
queries, `load` measures concurrent clients, `search_latency` the latency of a search.
"""
