"""PDF reader: pages become lines in reading order, each with its rectangle on the page.

The steps, from `pdf_reader.read_pdf`: `structured_text` extracts text pieces from MuPDF; `text_directions` rotates them
so that text runs to the right; `headers_footers` separates running headers and footers; `page_layout` finds the reading
order; `dehyphenation` joins hyphenated words; `line_classifier` recognises headings, items and rows;
`document_assembly` builds the document. `metadata`, `annotations` and `attachments` read the rest of the file.
"""
