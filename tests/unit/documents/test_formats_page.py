import re
from pathlib import Path

from desktop_rag.documents.file_types import SUFFIXES, unread_reason

_PAGE = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
_READ, _UNREAD = _PAGE.split("## Not read, and why")
_SUFFIX = re.compile(r"`\.([\w+]+)`")
# The suffixes that Recoll 1.34.3 maps to a type for which it has a reader (its files mimemap and mimeconf).
_RECOLL = """
0p 1 1m 1p 1ssl 1x 2 3 3curses 3form 3gl 3menu 3ncurses 3p 3pm 3ssl 3tiff 3x 4 5 5ssl 6 6x 7 7ssl 7z 8 9 aac abw ai
aif aiff ape avi awk bas bib bz2 c cc chm cpp cs css csv cxx desktop dff dia djvu doc docm docx dot dotm dotx dsf
dvi eml eps epub fb2 flac fodp fods fodt gif gnm gnumeric gv gz h hpp hwp hxx ics info ini ipynb java jp2 jpeg jpg
js json kar kepub kwd log lua lyx lzma m4a maff md mht mhtml mid mp3 mp4 mpc n nef note nrw odg odp ods odt oga ogg
ogx opf opus org ost pdf php pl png pot potm potx ppam pps ppsm ppsx ppt pptm pptx ps pst py rar rb rst rtf scd sh
shtml sla sql srt stc std sti stw svg sxc sxd sxg sxi sxm sxw tex text tif tiff txt vsdx war wav wpd wv xcf xla xls
xlsm xlsx xltx xml xz z zip zst
"""
_BY_CONTENT = ("doc", "ppt")  # too old ones are not read


def _named(table: str) -> set[str]:
    """Return the suffixes in the second column of a table."""
    rows = [line.split("|") for line in table.splitlines() if line.startswith("| ") and line.count("|") > 3]
    return {suffix for row in rows for suffix in _SUFFIX.findall(row[2])}


def test_the_page_names_the_suffixes_that_are_read_and_no_others() -> None:
    assert _named(_READ) == set(SUFFIXES)


def test_what_the_page_says_is_not_read_is_refused_with_a_reason() -> None:
    for suffix in _named(_UNREAD) - set(_BY_CONTENT):
        assert suffix not in SUFFIXES
        assert "not read" in unread_reason(f"a.{suffix}"), suffix


def test_every_suffix_that_recoll_reads_is_read_or_explained() -> None:
    read_by_recoll = set(_RECOLL.split())
    manual_pages = {suffix for suffix in read_by_recoll if suffix.isdigit()}  # as the numbers of rotated logs
    assert read_by_recoll - manual_pages - set(SUFFIXES) - _named(_UNREAD) == set()
