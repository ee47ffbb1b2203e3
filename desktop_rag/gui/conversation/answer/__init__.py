"""The answer: Markdown as it streams in, and the notices around it.

`parsing` parses a bounded part in each turn of the event loop (`markdown_blocks`: markdown-it, no HTML), `rendering`
renders it: `rich_text` and `pieces_writing` write the blocks into a QTextDocument, in which `document_parts` are found
again; `long_blocks` splits what is too long for one turn; very wide tables stay source; `code_colors` colours code.
`answer_painting` paints what is behind the text, `inert_browser` shows it, loads nothing and lays out long text in
turns for another width, `answer_view` combines them and lets one of several answers go on in a turn. `statement_marks`
marks what the check found wrong, `quoted_markup` renders that of quotations, `block_buttons` copies code and tables.
`formulas` typesets formulas in the background and draws them. `notice_card` says how a run ended.
Nothing in an answer may load a resource or run anything: see `markdown_blocks` and `InertBrowser.loadResource`.
"""
