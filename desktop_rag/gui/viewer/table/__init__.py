"""The table view: spreadsheets drawn from the lines of the catalog, one row per line.

`sheets` derives the sheets and cell references from the section labels, `sheet_model` serves the loaded rows,
`sheet_table` is the widget and `sheet_view` the document view around it. A sheet may have millions of rows.
"""
