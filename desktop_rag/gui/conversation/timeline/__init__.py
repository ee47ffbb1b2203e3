"""The timeline of a run, and what you can do with a finished one.

`run_story` reduces events to rows, `timeline` shows the header and goes back through the steps of a finished run,
`timeline_rows` shows the steps, one by one or those of one turn. `fork_dialog` and `comparison_dialog` (two answers
side by side) belong to `run_actions`.
"""
