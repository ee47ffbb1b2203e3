"""The readers, one package for each family of formats; each turns a `SourceFile` into a `Document`.

- `source_file`: what a reader is given, with the limits on time, text and unpacked bytes.
- `inline_text`: inline text with its marks, and how it becomes lines; shared by office files and web pages.
- `paged_files` opens every format that has pages.
- Untrusted XML of any format is parsed by `office.package.parse_xml`, HTML by `web.html_page`.
- `text_files`, `markup`: files whose own lines are the lines of the document (except notebooks).
- `pdf`, `office`, `iwork`, `web`, `books`, `mail`, `personal`, `media`, `containers`: everything else.

The readers are called only through `format_registry`; a reader reads embedded files with `SourceFile.read_member`.
"""
