"""The sources of an answer: the list, the chips, and what became of their files."""
