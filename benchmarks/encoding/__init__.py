"""The encoder and search by vectors: `encode` and `vectors` are benchmarks.

`encode_quality` measures what precision costs in search; `encode_peer` and `vector_peers` are compared
with ours.
"""
