"""Bytes to clean text: `encodings` detects an encoding, `charsets` applies a declared one.

8-bit code pages are detected by the words that they yield; every reader gets its text from this package.
"""
