"""The process that keeps a library up to date."""
