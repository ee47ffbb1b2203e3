"""The query language: from the typed text to a query for the keyword index.

Begin with `parser.parse`: `tokenizer` splits the text, the parser builds the `tree`, other packages walk it by its
visitor. `date_ranges` parses dates, `file_conditions` decides about files and filters; the parser turns the last
word into a prefix while the user types. `to_index` translates the tree for the keyword index with the help of
`term_expansion` (inflected forms, file names, spellings). `did_you_mean` suggests words and operators,
`highlights` finds the matches of a query in a text.

The syntax is public (docs, help page, saved searches): extend it, do not change the meaning of valid queries.
"""
