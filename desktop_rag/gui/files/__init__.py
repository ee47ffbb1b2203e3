"""The page of all files of the library: the list, the problems grouped by reason, and statistics.

Begin with `files_page` (the widgets) and `files_control` (their link to the searcher process, which reads the
catalog). `files_model` holds windows of rows on demand; `file_wording` names states, types, problems and remedies.
"""
