"""The query language: tokens, tree, conditions on files, and the query to the keyword index."""
