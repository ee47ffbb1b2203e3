"""The encoder and vector search: `encode` and `vectors` are benchmarks.

`encode_quality` measures what quantisation costs in search; `encode_peer` and `vector_peers` are the tools compared
with ours.
"""
