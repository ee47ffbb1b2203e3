"""The clean view: a document laid out as one page from the lines of the catalog.

The pipeline: `composing` (visible text, `blocks`) → `typesetting` with `page_style` → `page_flow` (virtual scrolling)
→ `page_canvas`. `rendered_view` adds mouse,
keyboard and links, `clean_selection` the selection. Only visible blocks are laid out, however long the document is.
"""
