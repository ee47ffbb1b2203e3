"""Stored conversations and bookmarks: the user's own data, which cannot be rebuilt.

Begin with `transcript` (the values) and `conversation_store.ConversationStore` (SQLite, one file beside the library).

- `listed_conversations` is what the list of conversations shows; the store extends it.
- `conversation_schema` is its tables and their migration, `turn_search` its full-text index.
- `backups` opens such a file, restores it from rotating copies and erases traces of deleted rows.
- `history` turns earlier turns into messages for the next run; `run_comparison` compares two runs;
  `follow_up_topics` are what to ask next.
- `bookmarks` stores bookmarked passages with notes.
- `forgetting` erases a folder everywhere; `erasing` removes its traces from a turn.

The order of `conversation_store.EVENTS` and the fields of the events are the format on disk.
"""
