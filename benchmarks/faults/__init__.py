"""Fault injection into the real indexer; `campaigns` runs the faults and counts what is lost.

`notes_library` is the small library that is damaged and verified, `faulty_indexer` the indexer that runs in it;
`tracer` and `ptrace` stop it at its storage operations; `inspection` checks what a fault left before it is repaired.
Each of `kills`, `outage` and `power`, `tmpfs`, `damage`, `sessions`, `notes_model`, `soak` is one kind of fault;
`sabotages` are errors that they must notice.
"""
