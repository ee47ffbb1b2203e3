"""The clean view: a document laid out as one page from the lines of the catalog.

The pipeline: `strips` (visible text) → `composing` (`blocks`) → `typesetting` with `page_style` and
`column_widths` → `page_flow` (virtual scrolling) → `block_painting` in `page_canvas`. `rendered_view` adds mouse,
keyboard and links, `clean_selection` the selection. Only visible blocks are laid out, however long the document is.
"""
