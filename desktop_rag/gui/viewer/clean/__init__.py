"""The clean view: a document laid out as one page from the lines of the catalog.

The pipeline: `composing` (visible text, blocks) → `typesetting` → `page_flow` (virtual scrolling) → `page_canvas` with
the selection. `rendered_view` adds mouse, keyboard and links. Only visible blocks are laid out, however long the
document is.
"""
