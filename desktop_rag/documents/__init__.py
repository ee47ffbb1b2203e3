"""Turns files into documents: numbered lines of text, each with its kind, page and position.

Start with `document` (the model: `Document`, `Line`, `Span`) and `format_registry.read_document` (the entry point).

- `document`, `builder`, `chunking`: the model, the builder that readers fill line by line, the splitter for the index.
- `file_types`, `format_registry`: file name to format, format to reader.
- `decoding`: bytes in any encoding to clean text.
- `formats`: the readers, one package for each family of formats.
- `ocr`: recognises text in scanned pages. `render`: renders pages for the viewer.
- `sandbox`: the restricted child processes. Untrusted bytes are parsed there and nowhere else.

To add a reader for a small format:

1. Write one module in the fitting package of `formats` with `read_x(source: SourceFile, kind: Format) -> Document`.
   Decode with `decoding`, build the document with `DocumentBuilder` (or `SourceLines` if the lines of the file are the
   lines of the document), call `source.budget.check` in every loop, and raise `DocumentError` with a sentence that the
   user can act on. A reader opens no file and starts no process: the sandbox forbids both.
2. Add a member of `Format` and its suffixes in `file_types`.
3. Add the module and the function to `_READERS` in `format_registry`.

Raise `READER_VERSION` in `sandbox.reader_messages` when the output of an existing reader changes.
"""
