"""The answer: Markdown as it streams in, and the notices around it.

`markdown_blocks` parses (markdown-it, no HTML), `rich_text` writes the blocks into a QTextDocument, in which
`document_parts` are found again; `table_parts` and `long_blocks` split what is too long for one turn of the event loop,
`gradual_writing` writes a complete answer over several. `answer_painting` paints what is behind the text,
`inert_browser` shows it and loads nothing, `answer_view` combines them. `statement_marks`
marks what the check found wrong, `quoted_markup` renders that of quotations, `code_colors` colours code,
`block_buttons` copies code and tables. `math_syntax` finds formulas, `formulas` typesets them in the background,
`formula_painting` draws them. `notice_card` and `coverage_card` say how a run ended.
Nothing in an answer may load a resource or run anything: see `markdown_blocks` and `InertBrowser.loadResource`.
"""
