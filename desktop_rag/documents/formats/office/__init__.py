"""Readers of office files: text documents, presentations and spreadsheets.

`package` opens the ZIP package within the limits of one file and parses XML safely; every reader here starts from it.
Word: `docx`, `docx_runs`, `docx_styles`. OpenDocument: `odf`, `odf_text`, `odf_styles`. Spreadsheets: `workbooks`,
`number_formats`, `sheet_lines`. Slides: `pptx`, `drawn_text`. `rtf` stands alone; `legacy` refuses binary formats.
"""
