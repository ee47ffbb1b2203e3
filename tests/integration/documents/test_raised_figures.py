"""Marks of notes, exponents and formulas in every format that raises or lowers letters."""

import io
import zipfile

import pymupdf
import pytest

from desktop_rag.documents.format_registry import read_document

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_ODF = "urn:oasis:names:tc:opendocument:xmlns"


def packed(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def pdf() -> bytes:
    page = (document := pymupdf.open()).new_page()
    for number, (before, small, after) in enumerate(
        (("The deposit is 320", "1", " euros."), ("It holds 4 x 10", "9", " litres."), ("On 45 m", "2", " of land."))
    ):
        x, y = 72.0, 100.0 + 30 * number
        for text, size, up in ((before, 11, 0), (small, 7, 4), (after, 11, 0)):
            page.insert_text((x, y - up), text, fontsize=size)
            x += pymupdf.get_text_length(text, fontsize=size)
    return bytes(document.tobytes())


def test_a_fraction_that_is_drawn_with_small_figures_is_one() -> None:
    page = (document := pymupdf.open()).new_page()
    x = 72.0
    for text, size, up in (
        ("Add 5", 11, 0),
        ("1", 6, 4),
        ("/", 11, 0),
        ("2", 6, -1),
        (" cups of the 320", 11, 0),
        ("1", 7, 4),
    ):
        page.insert_text((x, 100 - up), text, fontsize=size)
        x += pymupdf.get_text_length(text, fontsize=size)
    page.insert_text((x, 100), "/8 blend.", fontsize=11)
    assert read_document("a.pdf", bytes(document.tobytes())).text == "Add 5 1/2 cups of the 320¹/8 blend."


def docx() -> bytes:
    def run(text: str, align: str = "") -> str:
        look = f'<w:rPr><w:vertAlign w:val="{align}"/></w:rPr>' if align else ""
        return f'<w:r>{look}<w:t xml:space="preserve">{text}</w:t></w:r>'

    body = "".join(
        f"<w:p>{run(before)}{run(small, align)}{run(after)}</w:p>"
        for before, small, align, after in (
            ("The deposit is 320", "1", "superscript", " euros."),
            ("It holds 4 x 10", "9", "superscript", " litres."),
            ("Of H", "2", "subscript", "O."),
        )
    )
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override '
        'PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>'
    )
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
        'Target="word/document.xml"/></Relationships>'
    )
    document = f"<w:document {_W}><w:body>{body}</w:body></w:document>"
    return packed({"[Content_Types].xml": types, "_rels/.rels": relations, "word/document.xml": document})


def odt() -> bytes:
    names = f'xmlns:office="{_ODF}:office:1.0" xmlns:text="{_ODF}:text:1.0" xmlns:style="{_ODF}:style:1.0"'
    styles = "".join(
        f'<style:style style:name="{name}" style:family="text"><style:text-properties style:text-position="{at}"/>'
        "</style:style>"
        for name, at in (("U", "super 58%"), ("D", "-33% 58%"))
    )
    body = (
        '<text:p>The deposit is 320<text:span text:style-name="U">1</text:span> euros.</text:p>'
        '<text:p>Of H<text:span text:style-name="D">2</text:span>O.</text:p>'
    )
    content = (
        f"<office:document-content {names}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    return packed({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


PAGE = (
    "<p>The deposit is 320<sup><a href='#n'>1</a></sup> euros.</p><p>It holds 4 x 10<sup>9</sup> litres.</p>"
    "<p>Of H<sub>2</sub>O, the 1<sup>st</sup> of 3<sup>[4]</sup>.</p>"
)
RICH = r"{\rtf1 The deposit is 320{\super 1} euros.\par It holds 4 x 10\super 9\nosupersub  litres.\par Of H{\sub 2}O.}"


@pytest.mark.parametrize(
    ("name", "data", "lines"),
    [
        ("a.pdf", pdf(), ["320¹ euros", "10⁹ litres", "45 m² of"]),
        ("a.docx", docx(), ["320¹ euros", "10⁹ litres", "H₂O"]),
        ("a.odt", odt(), ["320¹ euros", "H₂O"]),
        ("a.html", PAGE.encode(), ["320¹ euros", "10⁹ litres", "H₂O", "1st of"]),
        ("a.rtf", RICH.encode(), ["320¹ euros", "10⁹ litres", "H₂O"]),
    ],
)
def test_a_raised_figure_is_one(name: str, data: bytes, lines: list[str]) -> None:
    text = read_document(name, data).text
    assert [line for line in lines if line not in text] == []
    assert "3201" not in text


_POWERS = {
    "2^n in all": ("2", "n", " in all"),
    "e^(rt) yearly": ("e", "rt", " yearly"),
    "x^(2y) end": ("x", "2y", " end"),
    "T^(k−1) end": ("T", "k−1", " end"),
    "10^1.5 m": ("10", "1.5", " m"),
    "the ith row": ("the i", "th", " row"),
    "in LATEX, by": ("in L", "A", "TEX, by"),
    "12th man": ("12", "th", " man"),
    "1e fois": ("1", "e", " fois"),
    "Mlle Roux": ("M", "lle", " Roux"),
    "550², ³ euros": ("550", "2, 3", " euros"),
}


def test_powers_with_letters_are_never_half_raised() -> None:
    w = "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>"
    up = "<w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t xml:space='preserve'>{}</w:t></w:r>"
    runs = [
        f"{w.format(base)}{''.join(map(up.format, power))}{w.format(rest)}" for base, power, rest in _POWERS.values()
    ]
    body = "".join(f"<w:p>{run}</w:p>" for run in runs)
    content = f"<w:document {_W}><w:body>{body}</w:body></w:document>"
    with zipfile.ZipFile(io.BytesIO(docx())) as package:
        files = {name: package.read(name).decode() for name in package.namelist()}
    word = read_document("a.docx", packed(files | {"word/document.xml": content})).text
    assert [line for line in word.split("\n") if line] == list(_POWERS)
    page = "".join(f"<p>{base}<sup><i>{up[:1]}</i>{up[1:]}</sup>{rest}</p>" for base, up, rest in _POWERS.values())
    assert [line for line in read_document("a.html", page.encode()).text.split("\n") if line] == list(_POWERS)


def test_an_exponent_in_two_fonts_and_a_sign_by_its_code() -> None:
    page = (document := pymupdf.open()).new_page()
    for number, parts in enumerate((("10", "-", "9", " m"), ("2", "n", "+1", " in"), ("x", "2", "y", " end"))):
        x = 72.0
        for place, text in enumerate(parts):
            font, is_up = ("helv", "tiit", "tiro", "helv")[place], place in (1, 2)
            size = 7 if is_up else 11
            page.insert_text((x, 100 + 30 * number - 4 * is_up), text, fontname=font, fontsize=size)
            x += pymupdf.get_text_length(text, fontname=font, fontsize=size)
    assert read_document("a.pdf", document.tobytes()).text.split("\n\n") == ["10⁻⁹ m", "2^(n+1) in", "x^(2y) end"]
    rich = rb"{\rtf1\uc1 10{\super \u8722\'3f5} J and x{\sub n+1}}"
    assert read_document("a.rtf", rich).text == "10⁻⁵ J and x_(n+1)"


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (
            (("320", 12, 0), ("1", 12, 5), (" euros, 10", 12, 0), ("9", 12, 5), (" l", 12, 0)),
            "320¹ euros, 10⁹ l",
        ),
        ((("Fee 5,000", 12, 0), ("4", 11, 4), (" kr", 12, 0)), "Fee 5,000⁴ kr"),
        (
            (("1", 7, 4), ("In cash, 10", 12, 0), ("6", 7, 4), (" and H", 12, 0), ("2", 7, -2), ("O", 12, 0)),
            "¹In cash, 10⁶ and H2O",
        ),
        ((("In 19", 12, 0), ("98", 12, 0.8), (" still", 12, 0.8)), "In 1998 still"),
        ((("Up ", 12, 0), ("12", 12, 5), (" boats", 12, 0)), "Up 12 boats"),
    ],
)
def test_what_is_raised_in_a_line_of_a_pdf(parts: tuple[tuple[str, float, float], ...], shown: str) -> None:
    page = (document := pymupdf.open()).new_page()
    x = 72.0
    for text, size, up in parts:
        page.insert_text((x, 100 - up), text, fontsize=size)
        x += pymupdf.get_text_length(text, fontsize=size)
    assert read_document("a.pdf", document.tobytes()).text == shown


@pytest.mark.parametrize(
    ("producer", "shown"), [("pdfTeX-1.40.21", "Le café naïve, façade"), ("Context 3", "Le caf´e na¨ive, fac¸ade")]
)
def test_accents_that_tex_draws_apart(producer: str, shown: str) -> None:
    page = (document := pymupdf.open()).new_page()
    document.set_metadata({"producer": producer})
    page.insert_text((72, 100), "Le caf´e na¨ive, fac¸ade")
    assert read_document("a.pdf", document.tobytes()).text == shown
