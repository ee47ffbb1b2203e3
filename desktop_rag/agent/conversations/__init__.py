"""What is kept of conversations: their store, history, backups, erasing, bookmarks, comparison of runs."""
