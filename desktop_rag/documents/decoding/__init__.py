"""Bytes to clean text: `encodings` detects an encoding, `charsets` applies a declared one.

`code_pages` detects 8-bit code pages by the words that they yield; every reader gets its text from this package.
"""
