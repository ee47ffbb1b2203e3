"""Conversion of files without a reader of ours by other programs, where they are installed (Linux).

`converted_types` tells what is converted, and by which program; `converter` starts a child for each file. The
result is an OpenDocument or PDF file, which a reader child then reads as any other.
"""
