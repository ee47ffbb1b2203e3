"""The table view: spreadsheets drawn from the lines of the catalog, one row per line.

`sheet_model` derives the sheets and cell references from the section labels and serves the loaded rows, `sheet_view`
is the widget with the document view around it. A sheet may have millions of rows.
"""
