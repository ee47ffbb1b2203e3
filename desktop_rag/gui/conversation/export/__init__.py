"""Conversations as files and on paper.

`exported_conversation` is what all formats are made of: answers with footnotes counted through the whole conversation,
and the documents they cite. `markdown_export`, `html_export` (also for PDF and print), `docx_export` and
`bibliography` (BibTeX, RIS, CSL-JSON) are the formats, which `export_files` writes; `export_control` asks for a place.
"""
