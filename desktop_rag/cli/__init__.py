"""The command line: the verbs of `desktop-rag` that work without a window.

Begin with `program` (parsers, dispatch, exit codes). A module holds one verb or a few related ones and is imported only
when the verb is used. `output` prints results on standard output and everything else on standard error, `narrator` the
steps of an agent run. The JSON of `--json` is documented in `docs/command-line.md`: its keys must not change.
"""
