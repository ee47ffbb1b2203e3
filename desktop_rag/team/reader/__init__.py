"""The retrieval service over a team library. Begin with `team_engine`.

- `team_search`: searches by words and by sentence vectors; `team_query`: keyword queries as requests.
- `team_candidates`: the documents that may be found; `team_links`: the links.
- `team_catalog`: the catalog and files without text, from the records that `team_records` fetches.
- `team_health`: what is wrong with the server; `any_searcher`: the child process that searches.
"""
