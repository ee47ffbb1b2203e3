"""Conversations as files and on paper.

`exported_conversation` is what all formats are made of: answers with footnotes counted through the whole conversation,
and the documents they cite. `markdown_export`, `html_export` (also for PDF and print), `json_export` and
`bibliography` (BibTeX, RIS, CSL-JSON) are the formats; `export_control` asks for a place and writes.
"""
