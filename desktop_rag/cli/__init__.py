"""The command line: the verbs of `desktop-rag` that work without a window.

Begin with `program` (dispatch, exit codes) and `verb_parsers` (options, help). A module holds one verb or a few
related ones and is imported only when the verb is used. `output` prints results (styled by
`terminal`) on standard output and everything else on standard error. The JSON of `--json` is documented in
`docs/command-line.md`: its keys must not change.
"""
