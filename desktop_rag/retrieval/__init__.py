"""Search by words and by meaning, and reading what was found."""
