"""Conversion of files without a reader of ours by LibreOffice, where it is installed (Linux).

`converted_types` tells what is converted; `libreoffice` starts `converter_child` for each file. The result is an
OpenDocument file, which a reader child then reads as any other.
"""
