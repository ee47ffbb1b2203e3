"""Stock Whoosh as a keyword engine."""
