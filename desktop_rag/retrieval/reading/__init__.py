"""Reading what was found: document list, find in document, diff, snippets."""
