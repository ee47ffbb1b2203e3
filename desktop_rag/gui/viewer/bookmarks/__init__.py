"""Bookmarks and notes in the viewer.

`bookmark_control` reads and writes the file of one library in the background; `tabs.bookmarking` turns the user's
actions into its signals. The file format is in `agent.conversations.bookmarks`.
"""
