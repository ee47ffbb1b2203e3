"""Check boxes of PDF forms tell their state, and a drop cap belongs to its word."""

import pymupdf

from desktop_rag.documents.format_registry import read_document


def test_check_boxes_stand_before_their_labels() -> None:
    page = (document := pymupdf.open()).new_page()
    for number, (name, checked) in enumerate((("Insured", True), ("Leased", False), ("Exported", True))):
        y = 50.0 + 30 * number
        widget = pymupdf.Widget()
        widget.field_type, widget.field_name = pymupdf.PDF_WIDGET_TYPE_CHECKBOX, name
        widget.rect, widget.field_value = pymupdf.Rect(60, y, 74, y + 14), checked
        page.add_widget(widget)
        page.insert_text((90, y + 11), name, fontsize=11)
    text = read_document("a.pdf", document.tobytes()).text
    assert [line for line in text.split("\n") if line] == ["☑ Insured", "☐ Leased", "☑ Exported"]


def test_a_drop_cap_is_the_first_letter_of_its_line() -> None:
    page = (document := pymupdf.open()).new_page()
    page.insert_text((60, 125), "T", fontsize=36)
    for number, line in enumerate(("he tenancy begins in May and the deposit", "is three months of rent, paid in")):
        page.insert_text((84, 104 + 14 * number), line, fontsize=11)
    page.insert_text((60, 140), "advance by bank transfer to the owner.", fontsize=11)
    text = read_document("a.pdf", document.tobytes()).text
    assert text.startswith("The tenancy begins in May")
    assert "\nT\n" not in text


def test_what_is_filled_in_stands_beside_its_label() -> None:
    page = (document := pymupdf.open()).new_page()
    kinds = (
        ("Owner:", pymupdf.PDF_WIDGET_TYPE_TEXT, "Ada Berg"),
        ("Fastenings:", pymupdf.PDF_WIDGET_TYPE_COMBOBOX, "Bronze"),
        ("Class:", pymupdf.PDF_WIDGET_TYPE_LISTBOX, "Ketch"),
        ("Remarks:", pymupdf.PDF_WIDGET_TYPE_TEXT, ""),
    )
    for number, (label, kind, value) in enumerate(kinds):
        y = 60.0 + 60 * number
        page.insert_text((60, y + 11), label, fontsize=11)
        widget = pymupdf.Widget()
        widget.field_type, widget.field_name, widget.rect = kind, label, pymupdf.Rect(140, y, 260, y + 18)
        if kind != pymupdf.PDF_WIDGET_TYPE_TEXT:
            widget.choice_values = ["Iron", "Bronze", "Sloop", "Ketch"]
            widget.rect = pymupdf.Rect(140, y, 260, y + (50 if kind == pymupdf.PDF_WIDGET_TYPE_LISTBOX else 18))
        widget.field_value = value
        page.add_widget(widget)
    text = read_document("a.pdf", document.tobytes()).text
    assert [line for line in text.split("\n") if line] == [
        "Owner: Ada Berg",
        "Fastenings: Bronze",
        "Class: Ketch",
        "Remarks:",
    ]
