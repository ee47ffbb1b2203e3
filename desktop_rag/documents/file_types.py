"""The formats and their suffixes: which files are read, by name alone; cheap enough for every file of a scan."""

from enum import StrEnum
from types import MappingProxyType

MAX_FILE_BYTES = 200 * 1024 * 1024


class Format(StrEnum):
    """The format of a document; stored as `Document.format`."""

    TEXT = "text"
    MARKDOWN = "markdown"
    RST = "restructuredtext"
    ASCIIDOC = "asciidoc"
    ORG = "org"
    LATEX = "latex"
    SUBTITLES = "subtitles"
    CODE = "code"
    DATA = "data"
    TABLE = "table"
    LOG = "log"
    PDF = "pdf"
    WORD = "word"
    SLIDES = "slides"
    SHEETS = "sheets"
    RICH_TEXT = "rtf"
    OLD_WORD = "old word"
    OLD_SLIDES = "old slides"
    WEB = "web"
    SAVED_PAGE = "saved page"
    MAIL = "mail"
    MAILBOX = "mailbox"
    OUTLOOK_MAIL = "outlook mail"
    SIGNED = "signed"  # a mail or a file in its signature
    CALENDAR = "calendar"
    CONTACTS = "contacts"
    ARCHIVE = "archive"
    BOOK = "book"
    FICTION_BOOK = "fictionbook"
    PRINTED_BOOK = "printed book"
    COMIC = "comic"
    DJVU = "djvu"
    HELP_BOOK = "help book"
    NOTEBOOK = "notebook"
    PICTURE = "picture"
    RECORDING = "recording"
    DRAWING = "drawing"
    # The content shows which it is: a text, a spreadsheet or slides.
    OPEN_DOCUMENT = "opendocument"
    XML_OFFICE = "xml office"
    HANGUL = "hangul"
    IWORK = "iwork"


_SUFFIXES_OF: dict[Format, str] = {
    Format.TEXT: "txt text me 1st nfo info bib sub lrc po pot textile wiki mediawiki "
    "readme license changelog authors todo notes gitignore gitattributes dockerignore editorconfig "
    "0p 1m 1p 1ssl 1x 3curses 3form 3gl 3menu 3ncurses 3p 3pm 3ssl 3tiff 3x 5ssl 6x 7ssl n",
    Format.MARKDOWN: "md markdown mdown mkd mkdn mdx rmd qmd",
    Format.RST: "rst rest",
    Format.ASCIIDOC: "adoc asciidoc",
    Format.ORG: "org",
    Format.LATEX: "tex ltx latex",
    Format.SUBTITLES: "srt vtt",
    Format.CODE: "py pyi pyw pyx pxd rb erb rake php pl pm t lua tcl r jl m mm c h cc cpp cxx c++ hh hpp hxx h++ inl "
    "ino cs fs fsx fsi vb java kt kts scala sc groovy gradle clj cljs cljc edn go rs swift d nim zig v sv svh vhd vhdl "
    "js mjs cjs jsx ts mts cts tsx vue svelte astro css scss sass less styl coffee dart ex exs erl hrl hs lhs elm ml "
    "mli pas pp lpr dpr ada adb ads f f77 f90 f95 f03 f08 for cob cbl cpy lisp lsp cl el scm ss rkt asm s nasm sh bash "
    "zsh fish ksh csh ps1 psm1 psd1 bat cmd awk sed vim sql psql ddl cmake make mk mak am ac m4 dockerfile "
    "containerfile tf tfvars hcl nix proto thrift graphql gql sol cu cuh cl glsl vert frag hlsl metal wgsl gd diff "
    "patch applescript ahk vbs bas gv prolog pro agda lean thy tla idr purs re res cr hx as feature robot bzl bazel "
    "star spec qml qss sty cls dtx",
    Format.DATA: "json jsonl ndjson json5 jsonc geojson webmanifest yaml yml toml xml xsd xsl xslt wsdl ini cfg conf "
    "config cnf properties env ui qrc desktop service reg plist lock rdf ttl owl nt opml "
    "opf note rss atom kml gpx xlf xliff tmx dita ditamap",
    Format.TABLE: "csv tsv tab psv",
    Format.LOG: "log out err trace",
    Format.PDF: "pdf ai",
    Format.WORD: "docx docm dotx dotm",
    Format.SLIDES: "pptx pptm ppsx ppsm potx potm ppam",
    Format.SHEETS: "xlsx xlsm xlsb xltx xltm xls xlt xla xlam",
    Format.RICH_TEXT: "rtf",
    Format.OLD_WORD: "doc dot",
    Format.OLD_SLIDES: "ppt pps pot",
    Format.WEB: "html htm xhtml xht shtml",
    Format.SAVED_PAGE: "mhtml mht webarchive",
    Format.MAIL: "eml emlx",
    Format.MAILBOX: "mbox mbx pst ost",
    Format.OUTLOOK_MAIL: "msg oft tnef",
    Format.SIGNED: "p7m",
    Format.CALENDAR: "ics ical ifb vcs",
    Format.CONTACTS: "vcf vcard",
    Format.ARCHIVE: "zip tar z gz tgz taz bz2 tbz tbz2 xz txz lzma zst tzst 7z rar jar war ear whl xpi cab "
    "cpio ar deb iso lha lzh maff",
    Format.BOOK: "epub kepub",
    Format.FICTION_BOOK: "fb2",
    Format.PRINTED_BOOK: "xps oxps mobi azw azw3 prc",
    Format.COMIC: "cbz",
    Format.DJVU: "djvu djv",
    Format.HELP_BOOK: "chm",
    Format.NOTEBOOK: "ipynb",
    Format.PICTURE: "png jpg jpeg jpe jfif gif bmp tif tiff webp jp2 heic heif hif avif",
    Format.RECORDING: "mp3 wav flac ogg oga opus m4a m4b aac wma aif aiff mp4 m4v mov wmv 3gp "
    "mkv mka webm ogv avi ape mpc wv tta dsf dff spx ogx mid midi kar",
    Format.OPEN_DOCUMENT: "odt ott fodt odm ods ots fods odp otp fodp odg otg fodg sxw stw sxg sxc stc sxi sti sxd std",
    Format.DRAWING: "svg svgz vsdx vsdm vstx vssx dia drawio dio xopp",
    Format.XML_OFFICE: "abw zabw awt gnumeric gnm kwd lyx sla scd",
    Format.IWORK: "pages numbers key",
    Format.HANGUL: "hwp hwpx hwt",
}

_UNSUPPORTED: dict[str, str] = {
    "Word documents": "doc docx docm dot dotx odt ott fodt rtf pages",
    "Spreadsheets": "xls xlsx xlsm xlsb xlt xltx ods ots fods numbers",
    "Presentations": "ppt pptx pptm pps ppsx pot potx odp otp fodp key",
    "Web pages": "html htm xhtml mhtml mht shtml",
    "E-mails": "eml emlx msg mbox mbx",
    "E-books": "epub mobi azw azw3 fb2 lit djvu djv",
    "Notebooks": "ipynb",
    "Pictures": "png jpg jpeg jpe gif bmp tif tiff webp heic heif avif ico psd raw cr2 nef nrw dng xcf jp2",
    "Sounds": "mp3 wav flac ogg oga opus m4a aac wma aiff mid midi kar",
    "Films": "mp4 m4v mkv avi mov wmv webm mpg mpeg flv 3gp",
    "Archives": "zip tar gz tgz bz2 xz 7z rar zst lz4 jar war whl deb rpm apk dmg iso cab",
    "Programs": "exe dll so dylib a o obj lib bin class pyc pyo pyd wasm msi app elf sys com",
    "Databases": "db sqlite sqlite3 db3 dbf parquet feather arrow npy npz h5 hdf5 pkl pickle dat",
    "Drawings": "odg fodg vsdx dwg dxf sxm",
    "Fonts": "ttf otf woff woff2 eot",
}

# What is refused with a remedy; the other unread formats are only named.
_REMEDIES = {
    "ps eps dvi": "PostScript and DVI files are not read yet; convert them to PDF",
    "wpd": "WordPerfect files are not read yet; save them as .odt or .docx, such as with LibreOffice",
    "wps": "Files of Microsoft Works are not read yet; save them as .odt or .docx, such as with LibreOffice",
    "pub": "Publisher files are not read yet; export them as PDF",
    "vsd": "Visio files from before 2013 are not read yet; save them as .vsdx, or export them as PDF",
    "one": "OneNote files are not read yet; export their pages as PDF or .docx",
    "mdb accdb": "Access databases are not read yet; export their tables as .csv or .xlsx",
}
UNREAD_WORD = "This file was saved by Word for DOS or an early Word for Macintosh; save it as .docx to have it read."
_REFUSED = MappingProxyType({suffix: why for suffixes, why in _REMEDIES.items() for suffix in suffixes.split()})

SUFFIXES = MappingProxyType({suffix: kind for kind, suffixes in _SUFFIXES_OF.items() for suffix in suffixes.split()})
_UNREAD = {
    suffix: what for what, suffixes in _UNSUPPORTED.items() for suffix in suffixes.split() if suffix not in SUFFIXES
}
# Names of texts whatever follows their dot, unless it is a suffix we know.
_TEXT_NAMES = (
    *("readme", "license", "licence", "copying", "changelog", "changes"),
    *("news", "authors", "todo", "install", "faq", "notice"),
)
_WHOLE_NAMES = MappingProxyType(
    dict.fromkeys(("makefile", "gnumakefile", "dockerfile", "containerfile", "rakefile", "gemfile"), Format.CODE)
    | {"winmail.dat": Format.OUTLOOK_MAIL}
)


def suffix_of(name: str) -> str:
    """Return the lower-case suffix without its dot; numbers of rotated logs and backup suffixes are ignored.

    `README.Debian` and its like have none: the word before the dot says what they are.
    """
    stem = name.rstrip("~").lower()
    is_named = stem.partition(".")[0] in _TEXT_NAMES
    while (dot := stem.rfind(".")) > 0:
        suffix = stem[dot + 1 :].strip()
        if suffix and not suffix.isdigit() and suffix not in ("bak", "orig", "old", "tmp"):
            return "" if is_named and not (suffix in SUFFIXES or suffix in _REFUSED or suffix in _UNREAD) else suffix
        stem = stem[:dot]
    return ""


def format_of(name: str) -> Format | None:
    """Return the format by the name; None if the name has no suffix or one that is not supported."""
    return _WHOLE_NAMES.get(name.lower()) or SUFFIXES.get(suffix_of(name))


def is_supported(name: str) -> bool:
    """Return whether a file of this name is read; without a suffix its content decides."""
    return not suffix_of(name) or format_of(name) is not None


def unread_reason(name: str) -> str:
    """Return why a file of this name is not read, or an empty string if it is."""
    if is_supported(name):
        return ""
    suffix = suffix_of(name)
    if refused := _REFUSED.get(suffix):
        return refused
    kind = _UNREAD.get(suffix)
    return f"{kind} (.{suffix}) are not read yet" if kind else f".{suffix} files are not read yet"


# The first bytes of the formats that more than one module recognises.

PDF = b"%PDF-"
ZIP = b"PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # compound files: old Office files, Outlook mails, encrypted packages
RTF = b"{\\"  # without the name "rtf", which some programs leave out


# The version of what readers return; apart from their messages, because every search compares it.

READER_VERSION = 19  # raise it when the output of a reader changes: all contents are then read again
JUDGING_VERSION = READER_VERSION << 8 | 2  # raise the last number when failures are judged otherwise, see `quarantine`
