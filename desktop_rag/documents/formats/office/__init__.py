"""Readers of office files: text documents, presentations and spreadsheets.

`package` opens the ZIP package within the limits of one file and parses XML safely; every reader here starts from it.
Word: `docx`, `docx_styles`. OpenDocument: `odf`, `odf_text`, `odf_styles`.
Spreadsheets: `workbooks`, `number_formats`, `sheet_lines`. Slides: `pptx`. The binary formats are in `binary`; `legacy`
chooses by content for their names. Others: `rtf`, `xml_office`, `hangul`, `drawings`. `hidden` finds text not shown.
"""
