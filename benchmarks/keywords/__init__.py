"""Indexing and search by words: `index`, `search` and `exact` are benchmarks.

`keyword_engines` and `whoosh_engines` hold the engines side by side over `plain_text`, `keyword_queries` draws queries,
`load` asks many at once, `waiting` measures what a person waits for.
"""
