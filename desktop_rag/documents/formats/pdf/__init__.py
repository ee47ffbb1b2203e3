"""PDF reader: pages become lines in reading order, each with its rectangle on the page.

The steps, from `pdf_reader.read_pdf`: `page_blocks` runs MuPDF; `structured_text` makes pieces of text of its blocks;
`hidden_pieces` marks invisible text, where `page_paint` finds that something may be hidden; `text_directions`
rotates the pieces so that text runs to the right; `headers_footers` separates running headers and footers;
`page_layout` finds the reading order; `line_classifier` recognises headings, items and rows; `document_assembly` joins
hyphenated words and builds the document. `annotations`, `attachments` and `pdf_reader` read
the rest of the file.
"""
