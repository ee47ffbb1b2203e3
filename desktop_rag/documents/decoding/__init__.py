"""Bytes to clean text: `encodings` detects, `charsets` applies what a file declares, `code_pages` tells 8-bit ones."""
