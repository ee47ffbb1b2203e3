"""Bytes to clean text: `encodings` detects an encoding, `charsets` applies a declared one, `code_pages` tells 8-bit ones."""
