"""The search page: a query field, hits as you type, facets of the found documents.

`search_page` is the widget, `search_control` connects it with the searcher (debounced, newest
request only). Rows: `results_model`, `results_list`, `results_delegate`, ordered as `sort_box` says, under the counts
of `result_summary`. `search_start` stands there before anything is searched, `search_help` on demand. Filters:
`facet_list`, `date_histogram`. `saved_searches` is the file of recent and saved searches.
"""
