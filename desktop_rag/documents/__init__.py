"""Turns files into documents: numbered lines of text, each with its kind, page and position.

Start with `document` (the model: `Document`, `Line`, `Span`) and `format_registry.read_document` (the entry point).

- `document`, `builder`, `chunking`: the model, the builder that readers fill line by line, the splitter for the index.
- `file_types`, `format_registry`: file name to format, format to reader. Why a file is not read: a reader's
  `DocumentError` says it with an `errors.ProblemKind`, `file_types` of suffixes; `index.catalog` stores both.
- `decoding`: bytes in any encoding to clean text.
- `formats`: the readers, one package for each family of formats.
- `conversion`: converts files without a reader of ours by other programs.
- `ocr`: recognises text in scanned pages; `picture_notes`: what is told about such pages.
- `render`: renders pages for the viewer.
- `sandbox`: the restricted child processes. Untrusted bytes are parsed there and nowhere else.

`CONTRIBUTING.md` says how to add a reader. A reader opens no file and starts no process: the sandbox forbids both.
Raise `READER_VERSION` in `file_types` when the output of an existing reader changes.
"""
