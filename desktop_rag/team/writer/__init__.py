"""The writer of a team library. Begin with `team_sync`.

- `team_sync`: copies a library, following its change log; `named_files_sync`: files without text.
- `source_files`: which files a source copies, and vectors of titles.
- `team_worker`: runs it until it is stopped.
"""
