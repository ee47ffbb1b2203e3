"""Files of all kinds in the real reader, beside public tools; begin with `kinds`.

`endings` counts how files end, `pdf_opening` what a page costs, `recall` compares words with what `tools` and
`reader_peer` extract. `geometry` checks the rectangles of printed lines, for tests.
"""
