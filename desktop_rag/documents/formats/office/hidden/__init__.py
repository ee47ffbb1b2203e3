"""Text of office files that is not shown; `formats.inline_text` marks what is found here.

`hidden_runs` knows Word documents and Rich Text, `hidden_shapes` slides, `hidden_cells` workbooks, `hidden_spans`
OpenDocument files.
"""
