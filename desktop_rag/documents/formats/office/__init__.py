"""Readers of office files: text documents, presentations and spreadsheets.

`package` opens the ZIP package within the limits of one file and parses XML safely; every reader here starts from it.
Word: `docx`, `docx_runs`, `docx_styles`; binary `doc`, `word97`. OpenDocument: `odf`, `odf_text`, `odf_styles`,
`openoffice1`. Spreadsheets: `workbooks`, `number_formats`, `sheet_lines`,
binary `xls_records`. Slides: `pptx`, `drawn_text`; binary `ppt`.
`legacy` chooses by content for `.doc` and `.ppt`. Others: `rtf`, `xml_office`, `hangul`, `drawings`.
"""
