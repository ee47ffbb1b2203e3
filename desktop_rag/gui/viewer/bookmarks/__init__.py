"""Bookmarks and notes in the viewer.

`bookmarking` turns the user's actions into signals and shows the bookmarks in tabs and dialogs; `bookmark_control`
reads and writes the file of one library in the background. The file format is in `agent.conversations.bookmarks`.
"""
