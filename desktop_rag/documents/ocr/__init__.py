"""OCR: recognises the text of scanned pages and inserts it into their document.

`ocr_engine` chooses Tesseract (`tesseract`, a program) or RapidOCR (`rapid`, whose models run in `ocr_child`); the
indexer renders a page, calls the engine, and merges the lines with `recognised_lines.with_recognised`.
"""
