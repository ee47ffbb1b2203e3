"""Decodes text whose encoding a file names: web pages, mails and what is inside them."""

import codecs

from desktop_rag.documents.decoding.encodings import clean, decode
from desktop_rag.errors import DocumentError

_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MEANT = {  # what programs mean by these names (WHATWG Encoding Standard, section 4.2)
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
_OTHER_NAMES = {
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
_NO_ENCODINGS = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf-7-imap", "mbcs", "oem")
_IN_ASCII = ("iso2022", "hz", "utf-7")  # bytes of theirs read as UTF-8 without an error, and as nonsense


def codec_name(charset: str) -> str:
    """Return Python's name of the encoding that is meant by `charset`, or an empty text."""
    label = charset.strip().strip("\"'").lower()
    label = _OTHER_NAMES.get(label, label)
    try:
        name = codecs.lookup(label).name if label and "\0" not in label and label.isascii() else ""
        if not name or name in _NO_ENCODINGS:
            return ""
        b"\0\0\0\0".decode(name, "replace")  # refuses what encodes no text
    except (LookupError, ValueError):
        return ""
    return _MEANT.get(name, name)


def decode_as(data: bytes, charset: str) -> str:
    """Return the text of `data`, cleaned, in the encoding it claims unless its bytes say otherwise.

    UTF-8 without an error is believed against any claim: it is hardly ever right by chance. Raises
    `DocumentError` when there is no claim that Python knows and the encoding is not recognised.
    """
    if data.startswith(_MARKS):
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
    if text.count("\ufffd") * 50 > len(text):  # a wrong claim
        try:
            return decode(data)
        except DocumentError:
            pass
    return clean(text)


def decode_leniently(data: bytes, charset: str) -> str:
    """Return what `decode_as` returns, and Windows-1252 where the encoding is not recognised: what browsers assume."""
    try:
        return decode_as(data, charset)
    except DocumentError:
        return clean(data.decode("cp1252", "replace"))
