"""Readers of files that a text editor opens: plain text, source code, data, delimited tables, subtitles, notebooks.

`source_lines.SourceLines` are the unchanged lines of a file, to which readers give kinds, headings and sections.
"""
