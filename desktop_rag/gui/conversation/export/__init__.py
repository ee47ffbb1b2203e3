"""Conversations as files and on paper.

`exported_conversation` is what all formats are made of: answers with footnotes counted through the whole conversation,
and the documents they cite (also as BibTeX, RIS, CSL-JSON). `html_export` (also Markdown, PDF and print) and
`docx_export` are the formats, which `export_files` writes; `export_control` asks for a place, or for your notes.
"""
