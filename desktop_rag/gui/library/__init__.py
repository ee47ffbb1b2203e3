"""The library panel: folders, progress, rules, and the list of libraries.

Begin with `library_panel` (the widget) and `library_control` (its link to the indexer). `libraries_control` makes,
opens, renames and deletes libraries; `team_control` adds a team's library. `library_delegate` paints the rows of
`library_model`. Widgets report gestures only; every command runs on a background queue.
"""
