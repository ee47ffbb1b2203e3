"""The searcher process: `search_engine` does the work, `searcher` serves it, `searcher_client` calls it.

Begin with `search_engine.SearchEngine`; the command line uses it directly, in its own process, unless a program that
has the library open answers (`search_host`, asked by `hosted_search`). The window uses `SearcherClient`, so that no
search or query encoding runs in its process. The searcher only reads the library: vectors it encodes on demand go to a
running indexer through `VectorWriteback`.
"""
