"""The search page: a query field, hits as you type, facets of the found documents.

`search_page` is the widget, `search_control` connects it with the searcher (debounced, newest request only,
`search_events`). `query_row` has the field and the mode. Rows: `results_model` and `results_list`, which paints them,
under the counts and the order of `result_summary`. `search_start` stands there before anything is searched, with the
help. Filters: `facet_list` with the histogram of dates.
"""
