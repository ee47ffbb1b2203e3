"""A team's library on OpenSearch: the same retrieval service over a cluster, and the worker that writes it.

Begin with `team_engine` (reading: `SearchEngine` over a catalog on the server) and `team_sync` (writing: one more copy
that follows the catalog's change log). Both rest on:

- `team_connection`: requests, retries, bulk writes with versions.
- `team_indexes`: the fields, and how texts are written.
- `team_query`: keyword queries as requests; `file_facts`: conditions on files as requests.
- `document_cards`: the records stored beside the searched fields; `team_catalog`: reads them like a catalog.
- `team_search`: searches by words and by sentence vectors.
- `team_joining`: checks an address and adds its library to the user's list.

Nothing is shown that the server does not have at that moment: every hit is joined with its document in real time.
"""
