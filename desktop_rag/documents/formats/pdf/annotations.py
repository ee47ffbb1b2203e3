"""Reads the annotations of a PDF page: comments, highlighted passages, attached files, links."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Box
from desktop_rag.documents.formats.pdf.printed_words import Comment, WebLink

if TYPE_CHECKING:
    import pymupdf
    from pymupdf import mupdf

_MAX = 10_000  # per page
_EXTERNAL = re.compile(r"(?:https?|ftp|mailto|tel):", re.I)


def comments_and_files(page: "pymupdf.Page", stext: "mupdf.FzStextPage") -> tuple[list[Comment], list["mupdf.PdfObj"]]:
    """Return the comments and highlights of a page and the files attached to it; free text is page text already."""
    from pymupdf import mupdf

    comments, files = [], []
    for annotation in annotations_of(page):
        if mupdf.pdf_annot_type(annotation) == mupdf.PDF_ANNOT_FILE_ATTACHMENT:
            files.append(mupdf.pdf_annot_filespec(annotation))
        elif comment := _comment(annotation, stext):
            comments.append(comment)
    return comments, files


def links_of(page: "pymupdf.Page", stext: "mupdf.FzStextPage") -> list[WebLink]:
    """Return the external links of a page."""
    from pymupdf import mupdf

    links = []
    link = mupdf.fz_load_links(page.this)
    for _ in range(_MAX):
        if not link.m_internal:
            break
        target = clean(link.m_internal.uri or "").strip()
        if _EXTERNAL.match(target):
            rect = link.m_internal.rect
            words = mupdf.fz_copy_rectangle(stext, mupdf.FzRect(rect.x0, rect.y0, rect.x1, rect.y1), 0)
            links.append(WebLink(target, " ".join(clean(words).split()), Box(rect.x0, rect.y0, rect.x1, rect.y1)))
        link = mupdf.FzLink(mupdf.ll_fz_keep_link(link.m_internal.next)) if link.m_internal.next else mupdf.FzLink()
    return links


def has_fields(page: "pymupdf.Page") -> bool:
    """Return whether a page has form fields."""
    from pymupdf import mupdf

    pdf_page = mupdf.pdf_page_from_fz_page(page.this)
    return bool(pdf_page.m_internal and mupdf.pdf_first_widget(pdf_page).m_internal)


class FormField(NamedTuple):
    """A field of a form: its place, whether it is a check box (or radio button), a list; what is chosen or written."""

    box: Box
    is_box: bool
    is_list: bool
    value: str  # empty for a box that is not checked


def fields_of(page: "pymupdf.Page") -> Iterator[FormField]:
    """Yield the fields of a page in which something is chosen or written, and all check boxes."""
    from pymupdf import mupdf

    boxes = (mupdf.PDF_WIDGET_TYPE_CHECKBOX, mupdf.PDF_WIDGET_TYPE_RADIOBUTTON)
    texts = (mupdf.PDF_WIDGET_TYPE_TEXT, mupdf.PDF_WIDGET_TYPE_COMBOBOX, mupdf.PDF_WIDGET_TYPE_LISTBOX)
    pdf_page = mupdf.pdf_page_from_fz_page(page.this)
    widget = mupdf.pdf_first_widget(pdf_page) if pdf_page.m_internal else None
    for _ in range(_MAX):
        if widget is None or not widget.m_internal:
            return
        kind, rect = mupdf.pdf_widget_type(widget), mupdf.pdf_bound_widget(widget)
        box = Box(rect.x0, rect.y0, rect.x1, rect.y1)
        if kind in boxes:
            shown = mupdf.pdf_to_name(mupdf.pdf_dict_gets(mupdf.pdf_annot_obj(widget), "AS"))
            yield FormField(box, is_box=True, is_list=False, value="" if shown == "Off" else shown)
        elif kind in texts and (value := mupdf.pdf_annot_field_value(widget)):
            yield FormField(box, is_box=False, is_list=kind == mupdf.PDF_WIDGET_TYPE_LISTBOX, value=value)
        widget = mupdf.pdf_next_widget(widget)


def annotations_of(page: "pymupdf.Page") -> Iterator["mupdf.PdfAnnot"]:
    """Yield the annotations of a page, links excepted."""
    from pymupdf import mupdf

    pdf_page = mupdf.pdf_page_from_fz_page(page.this)
    if not pdf_page.m_internal:
        return
    annotation = mupdf.pdf_first_annot(pdf_page)
    for _ in range(_MAX):
        if not annotation.m_internal:
            return
        yield annotation
        annotation = mupdf.pdf_next_annot(annotation)


def _comment(annotation: "mupdf.PdfAnnot", stext: "mupdf.FzStextPage") -> Comment | None:
    from pymupdf import mupdf

    kind = mupdf.pdf_annot_type(annotation)
    if kind in (mupdf.PDF_ANNOT_POPUP, mupdf.PDF_ANNOT_LINK, mupdf.PDF_ANNOT_WIDGET, mupdf.PDF_ANNOT_FREE_TEXT):
        return None
    rect = mupdf.pdf_bound_annot(annotation)
    marks = kind in (
        mupdf.PDF_ANNOT_HIGHLIGHT,
        mupdf.PDF_ANNOT_UNDERLINE,
        mupdf.PDF_ANNOT_SQUIGGLY,
        mupdf.PDF_ANNOT_STRIKE_OUT,
    )
    passage = " ".join(_highlighted_words(annotation, stext)) if marks else ""
    contents = " ".join(clean(mupdf.pdf_annot_contents(annotation)).split())
    if not contents and not passage:
        return None
    author = ""
    if mupdf.pdf_annot_has_author(annotation):
        author = " ".join(clean(mupdf.pdf_annot_author(annotation)).split())
    text = f"“{passage}”" if passage else ""
    if contents and contents != passage:
        text = f"{text} – {contents}" if text else contents
    label = "Struck out" if kind == mupdf.PDF_ANNOT_STRIKE_OUT else "Marked" if passage else "Comment"
    return Comment(
        f"{label} by {author}: {text}" if author else f"{label}: {text}", Box(rect.x0, rect.y0, rect.x1, rect.y1)
    )


def _highlighted_words(annotation: "mupdf.PdfAnnot", stext: "mupdf.FzStextPage") -> Iterator[str]:
    from pymupdf import mupdf

    for number in range(min(_MAX, mupdf.pdf_annot_quad_point_count(annotation))):
        quad = mupdf.pdf_annot_quad_point(annotation, number)
        rect = mupdf.fz_rect_from_quad(quad)
        if abs(quad.ur.x - quad.ul.x) >= abs(
            quad.ur.y - quad.ul.y
        ):  # only the middle: highlights overlap adjacent lines
            middle = (rect.y0 + rect.y1) / 2
            area = mupdf.FzRect(rect.x0, middle - 0.5, rect.x1, middle + 0.5)
        else:
            middle = (rect.x0 + rect.x1) / 2
            area = mupdf.FzRect(middle - 0.5, rect.y0, middle + 0.5, rect.y1)
        yield from clean(mupdf.fz_copy_rectangle(stext, area, 0)).split()
