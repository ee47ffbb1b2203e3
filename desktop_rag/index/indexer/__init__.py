"""The indexer process: the only writer of a library, shared by all its clients.

Begin with `indexer_process` (start, lock, socket, confinement), `command_executor` (what clients ask for) and
`indexer_loop` (which step comes next). `pipeline` holds the steps: `scan_scheduler` finds changed files in time slices,
`read_queue` and `reader_pool` read them in sandboxed children, `ocr_stage` reads pages without text, and
`keyword_sync` and the synchronisers of `index.vectors` and `index.links` follow the catalog. `status_board` is the
progress shown to clients, `priority` how much of the machine is used, and whether nobody uses it, `integrity_scan` the
check after a crash.

Every step is short and durable in the catalog: the process may be killed at any moment and must lose only the step.
"""
