"""Readers of files that a text editor opens: plain text, source code, data, delimited tables, subtitles, notebooks."""
