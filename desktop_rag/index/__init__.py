"""What we know about the folders, on disk."""
