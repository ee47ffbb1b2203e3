"""Restricted child processes for untrusted files.

Parent side: `limited_child` (start, watch, kill) and `reader_client` (read a file in a reader child). Child side:
`reader_child`; `process_limits` (memory, CPU, files) and `processes.confinement` restrict the process before it sees
any byte of a file. Every weakening of these modules needs a test in tests/integration/documents.
"""
