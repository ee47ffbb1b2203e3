"""The only truth: files, contents, chunks and vectors in SQLite."""
