"""Root folders: their rules, scans and watches.

`rules` decides which files are indexed (with `name_rules`), `path_status` explains it; it also
walks a folder without the catalog: for the preview of changed rules (`rule_preview`) and to count a folder before it
is added (`folder_survey`). `scan` compares a root folder with the catalog and yields the events of
`file_changes`. `watch` reports changes with the help of `watch_backends`. `root_folders` and `relocation` add, move and
back up root folders; the latter tells which drives inside them are away. Start with `scan`.

Do not change: paths are bytes of the file system; a scan opens no file and never reports files of an absent drive as
deleted.
"""
