"""Printed pages: rendered by a child process, with text selection and marks.

Begin with `printed_pages` (the document view) on top of `page_view` (scrolling and zoom). `render_service` takes
`render_requests` in order of purpose; `page_caches` keep its results; `glyph_layout` puts glyphs into reading order;
`page_geometry` and `page_selection` compute rectangles, `page_painting` draws them. Sizes are in points.
"""
