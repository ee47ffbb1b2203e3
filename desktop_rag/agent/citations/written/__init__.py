"""Citations of files as people, models and this program write them in texts from elsewhere.

Begin with `citation_forms.read_citations`, the grammar of a text; `cited_places` is that of the places it names,
`source_lists` that of the lists that say what its numbers mean. `files_by_name` finds those that an answer of the run
writes instead of references.
"""
