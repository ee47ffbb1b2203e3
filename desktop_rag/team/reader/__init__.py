"""The retrieval service over a team library.

Begin with `team_engine`, which also tells what is wrong with the server.

- `team_search`: searches by words and by sentence vectors; `team_query`: keyword queries as requests.
- `team_catalog`: the catalog, links and files without text, from the records that `team_records` fetches.
- `any_searcher`: the child process that searches.
"""
