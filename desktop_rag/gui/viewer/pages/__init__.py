"""Printed pages: rendered by a child process, with text selection and marks.

Begin with `printed_pages` (the document view) on top of `page_view` (scrolling and zoom). `render_service` takes
requests in order of purpose and keeps the results; `glyph_layout` puts glyphs into reading order; `page_painting`
computes rectangles and draws them. Sizes are in points.
"""
