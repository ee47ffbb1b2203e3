"""The encoder and vector search: `encode` and `vectors` are benchmarks.

`encode_quality` measures what quantisation costs in search, `english` and `languages` compare encoders, `memory` weighs
one, `changeover` kills one that replaces another; `encode_peer` and `vector_peers` are the tools compared with ours.
"""
