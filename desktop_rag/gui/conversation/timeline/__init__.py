"""The timeline of a run, and what you can do with a finished one.

`run_story` reduces events to rows, `timeline` shows the header, `timeline_rows` the steps (`entry_row` one of them,
`call_group` those of one turn), `step_slider` goes back through those of a finished run.
`fork_dialog` and `comparison_dialog` belong to `run_actions`.
"""
