"""Files of all formats in the real reader, beside public tools; start with `kinds`.

`endings` counts outcomes, `pdf_opening` measures the cost of a page, `recall` compares words with what `tools` and
`reader_peer` extract. `geometry` checks the rectangles of printed lines, for tests.
"""
