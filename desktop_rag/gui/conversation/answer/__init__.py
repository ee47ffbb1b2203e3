"""The answer: Markdown as it streams in, and the notices around it.

`parsing` parses a bounded part in each turn of the event loop (`markdown_blocks`: markdown-it, no HTML), `rendering`
renders it: `rich_text` writes the blocks into a QTextDocument, in which their parts are found again; what is too long
for one turn is split; very wide tables stay source; `code_colors` colours code. `answer_painting` paints what is behind
the text and the buttons that copy blocks, `inert_browser` shows it, loads nothing and lays out long text in turns for
another width, `answer_view` combines them and lets one of several answers go on in a turn. `statement_marks` marks what
the check found wrong and writes the lines of proof. `formulas` typesets formulas in the background, also those of
quotations, and draws them. `notice_card` says how a run ended. Nothing in an answer may load a resource or run
anything: see `markdown_blocks` and `InertBrowser.loadResource`.
"""
