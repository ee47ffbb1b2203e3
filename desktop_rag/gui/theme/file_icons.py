"""The icon of each kind of document."""

from desktop_rag.documents.file_types import Format

_ICONS = {
    "type-pdf": (Format.PDF, Format.PRINTED_BOOK),
    "type-table": (Format.TABLE, Format.SHEETS),
    "type-slides": (Format.SLIDES, Format.OLD_SLIDES),
    "type-code": (Format.CODE, Format.NOTEBOOK),
    "type-mail": (Format.MAIL, Format.MAILBOX, Format.OUTLOOK_MAIL, Format.SIGNED),
    "type-calendar": (Format.CALENDAR, Format.CONTACTS),
    "type-picture": (Format.PICTURE, Format.COMIC, Format.DRAWING),
    "type-web": (Format.WEB, Format.SAVED_PAGE),
    "type-archive": (Format.ARCHIVE,),
    "type-data": (Format.DATA,),
    "type-sound": (Format.RECORDING, Format.SUBTITLES),
    "book": (Format.BOOK, Format.FICTION_BOOK, Format.DJVU, Format.HELP_BOOK),
    "list": (Format.LOG,),
}
_BY_FORMAT = {kind.value: icon for icon, kinds in _ICONS.items() for kind in kinds}


def icon_of(document_format: str) -> str:
    """Return the icon name for a `Document.format`; the text icon for everything that is mostly text."""
    return _BY_FORMAT.get(document_format, "file-text")
