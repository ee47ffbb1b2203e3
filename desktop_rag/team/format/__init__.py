"""What a team library stores, as its writer and its readers know it.

- `team_indexes`: the fields, how texts are written, and indexes of another format or encoder.
- `document_cards`: the records stored beside the searched fields, and vectors.
- `file_facts`: facts of files as fields, and conditions on files as requests.
"""
