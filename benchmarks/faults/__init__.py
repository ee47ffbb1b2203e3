"""Campaigns of faults against the real indexer; `campaigns` runs them and counts what is lost.

`patients` is the small library that is harmed and judged, `faulty_indexer` the indexer that runs in it, `tracer` and
`ptrace` stop it at its storage operations. `kills`, `outage` and `power`, `tmpfs`, `damage`, `notes_model` and `soak`
are one kind of fault each.
"""
