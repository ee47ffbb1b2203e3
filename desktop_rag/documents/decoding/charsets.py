"""Decodes text with a declared encoding: web pages, mails and the texts inside them."""

import codecs

from desktop_rag.documents.decoding.encodings import clean, decode
from desktop_rag.errors import DocumentError

_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ACTUAL = {  # what programs really write under these names (WHATWG Encoding Standard, section 4.2)
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "big5": "big5hkscs",
    "utf-16": "utf-16-le",
}
_ALIASES = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "x-gbk": "gb18030",
    "x-euc-jp": "euc_jp",
    "unicode-1-1-utf-8": "utf-8",
    "windows-874": "cp874",
    "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "iso-8859-8-i": "iso8859-8",
    "x-unknown": "",
}
_ALIASES |= {  # code pages of Windows that Python does not know by their numbers
    "cp1200": "utf-16-le", "cp1201": "utf-16-be", "cp10000": "mac_roman", "cp10001": "cp932", "cp10002": "big5",
    "cp10003": "cp949", "cp10004": "mac_arabic", "cp10006": "mac_greek", "cp10007": "mac_cyrillic",
    "cp10008": "gb18030", "cp10029": "mac_latin2", "cp10079": "mac_iceland", "cp10081": "mac_turkish",
    "cp20127": "ascii", "cp20866": "koi8-r", "cp21866": "koi8-u", "cp28591": "iso8859-1", "cp28592": "iso8859-2",
    "cp28595": "iso8859-5", "cp50220": "iso2022_jp", "cp50221": "iso2022_jp", "cp51932": "euc_jp",
    "cp51949": "euc_kr", "cp54936": "gb18030", "cp65001": "utf-8",
}  # fmt: skip
# The code pages of the character sets of fonts, as RTF and Word number them.
FONT_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254", 163: "cp1258",
    177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_NOT_TEXT = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7-imap", "mbcs", "oem")
_IN_ASCII = ("iso2022", "hz", "utf-7")  # their bytes are valid UTF-8, but nonsense


def codec_name(charset: str) -> str:
    """Return Python's name of the encoding declared as `charset`, or an empty string if it is unknown."""
    label = charset.strip().strip("\"'").lower()
    label = _ALIASES.get(label, label)
    try:
        name = codecs.lookup(label).name if label and "\0" not in label and label.isascii() else ""
        if not name or name in _NOT_TEXT:
            return ""
        b"\0\0\0\0".decode(name, "replace")  # raises for codecs that are not text encodings
    except (LookupError, ValueError):
        return ""
    return _ACTUAL.get(name, name)


def decode_as(data: bytes, charset: str) -> str:
    """Return the clean text of `data` in its declared encoding, unless its bytes contradict that.

    Valid UTF-8 overrules any declaration: it is hardly ever valid by chance. Raises `DocumentError` if the declared
    encoding is unknown and none is recognised.
    """
    if data.startswith(_BOMS):
        return decode(data)
    codec = codec_name(charset)
    if not codec:
        return decode(data)
    if not codec.startswith((*_IN_ASCII, "utf-16", "utf-32")):
        try:
            return clean(data.decode("utf-8"))
        except UnicodeDecodeError:
            pass
    text = data.decode(codec, "replace")
    if text.count("\ufffd") * 50 > len(text):  # a wrong declaration
        try:
            return decode(data)
        except DocumentError:
            pass
    return clean(text)


def decode_leniently(data: bytes, charset: str) -> str:
    """Decode like `decode_as`, with Windows-1252 (as browsers do) where the encoding is not recognised."""
    try:
        return decode_as(data, charset)
    except DocumentError:
        return clean(data.decode("cp1252", "replace"))
