"""A conversation or report as a Word document: headings, lists and tables in styles, numbered references with links."""

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from desktop_rag.agent.events import Citation
from desktop_rag.gui.conversation.answer.markdown_blocks import (
    Block,
    Code,
    HorizontalRule,
    MarkdownSpan,
    MarkdownTable,
    Paragraph,
    Pieces,
    ProofLine,
    parse,
)
from desktop_rag.gui.conversation.export.exported_conversation import (
    ExportedConversation,
    ExportedTurn,
    asked_at,
    note_text,
    plain_reference,
    sources_title,
)
from desktop_rag.text.desktop_links import link_to
from desktop_rag.text.readable_math import readable_math
from desktop_rag.work.xlsx import CONTROL

_DECLARED = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_SPACES = f'xmlns:w="{_MAIN}" xmlns:r="{_RELATIONS}"'
_INDENT = 360  # twentieths of a point, of a level
_DEEPEST = 8  # levels of lists that Word has


def as_docx(conversation: ExportedConversation, *, file_links: bool = False) -> bytes:
    """Return a Word document, by default without a path of this computer; `file_links` open the cited lines here."""
    writer = _Writer(file_links=file_links)
    body = "".join(writer.parts(conversation))
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        names = {
            "/word/document.xml": "document.main",
            "/word/styles.xml": "styles",
            "/word/numbering.xml": "numbering",
        }
        archive.writestr(
            "[Content_Types].xml", _content_types({part: f"{_TYPE}.{kind}" for part, kind in names.items()})
        )
        archive.writestr("_rels/.rels", _relations([("rId1", f"{_RELATIONS}/officeDocument", "word/document.xml", "")]))
        own = [
            (f"rId{n}", f"{_RELATIONS}/{kind}", f"{kind}.xml", "") for n, kind in enumerate(("styles", "numbering"), 1)
        ]
        links = [(f"rId{n}", f"{_RELATIONS}/hyperlink", link, "External") for n, link in enumerate(writer.links, 3)]
        archive.writestr("word/_rels/document.xml.rels", _relations([*own, *links]))
        page = '<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134"/>'
        archive.writestr(
            "word/document.xml",
            f"{_DECLARED}<w:document {_SPACES}><w:body>{body}<w:sectPr>{page}</w:sectPr></w:body></w:document>",
        )
        archive.writestr("word/styles.xml", _styles())
        archive.writestr("word/numbering.xml", _numbering(writer.lists))
    return written.getvalue()


class _Writer:
    """Writes the body; `links` are the addresses it leads to, `lists` counts the numbered lists."""

    def __init__(self, *, file_links: bool) -> None:
        self.links: list[str] = []
        self.lists = 0
        self._file_links = file_links
        self._in_list = False

    def parts(self, conversation: ExportedConversation) -> Iterator[str]:
        """Yield the paragraphs and tables."""
        yield _paragraph(_run(conversation.title), "Title")
        for turn in conversation.turns:
            yield from self._turn(turn, titled=turn is conversation.turns[0] and turn.question == conversation.title)
        if conversation.works:
            yield _paragraph(_run(sources_title()), "Heading1")
            yield from (_paragraph(_run(plain_reference(work))) for work in conversation.works)
            yield from (self._note(note) for turn in conversation.turns for note in turn.notes)

    def _turn(self, turn: ExportedTurn, *, titled: bool) -> Iterator[str]:
        if not titled:
            yield _paragraph(_run(turn.question), "Heading1")
        yield _paragraph(_run(asked_at(turn.asked)), "Subtitle")
        for block in (block for unit in parse(turn.marked) for block in unit.blocks):
            yield self._block(block)
        if turn.statements:
            yield _paragraph(_run(turn.statements), "Subtitle")

    def _note(self, note: Citation) -> str:
        """Return a reference, which the numbers in the text lead to."""
        mark = f'<w:bookmarkStart w:id="{note.number}" w:name="source{note.number}"/>'
        mark += f'{_run(f"[{note.number}]")}<w:bookmarkEnd w:id="{note.number}"/>'
        text = _run(f" {note_text(note)}")
        if self._file_links and note.path:
            text = self._link(link_to(note.path, note.first_line, note.last_line, note.sha256), text)
        return _paragraph(mark + text, "Reference")

    def _block(self, block: Block) -> str:
        numbered = isinstance(block, Paragraph) and bool(block.number)
        if numbered and (not self._in_list or (isinstance(block, Paragraph) and block.number == 1)):
            self.lists += 1
        self._in_list = numbered or (self._in_list and isinstance(block, Paragraph) and bool(block.depth))
        match block:
            case Paragraph():
                return self._paragraph(block)
            case Code(text):
                return "".join(_paragraph(_run(line), "Code") for line in text.rstrip("\n").split("\n"))
            case MarkdownTable(rows, aligns):
                return self._table(rows, aligns)
            case HorizontalRule():
                line = '<w:pBdr><w:bottom w:val="single" w:sz="4" w:space="1" w:color="C9CED6"/></w:pBdr>'
                return _paragraph("", more=line)
            case ProofLine():
                return ""  # the references have the quotations

    def _paragraph(self, block: Paragraph) -> str:
        text = self._pieces(block.pieces)
        if block.level:
            return _paragraph(text, f"Heading{min(block.level + 1, 6)}")
        level = min(max(block.depth - 1, 0), _DEEPEST)
        if block.number is not None and block.depth:
            own = 1 if block.number == 0 else 1 + self.lists
            listed = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{own}"/></w:numPr>'
            return _paragraph(text, "ListNumber" if block.number else "ListBullet", listed)
        indent = f'<w:ind w:left="{_INDENT * block.depth}"/>' if block.depth else ""
        return _paragraph(text, "Quote" if block.quoted else "", indent)

    def _table(self, rows: Sequence[Sequence[Pieces]], aligns: Sequence[str]) -> str:
        if not rows:
            return ""
        sides = (*aligns, *("left",) * max(map(len, rows)))
        made = "".join(self._row(row, sides, head=not at) for at, row in enumerate(rows))
        grid = "<w:gridCol/>" * max(map(len, rows))
        look = '<w:tblStyle w:val="TableGrid"/><w:tblW w:w="5000" w:type="pct"/>'
        return f"<w:tbl><w:tblPr>{look}</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{made}</w:tbl>{_paragraph('')}"

    def _row(self, row: Sequence[Pieces], sides: Sequence[str], *, head: bool) -> str:
        cells = "".join(
            f"<w:tc>{_paragraph(self._pieces(cell, bold=head), more=f'<w:jc w:val={quoteattr(side)}/>')}</w:tc>"
            for cell, side in zip(row, sides, strict=False)
        )
        repeated = "<w:trPr><w:tblHeader/></w:trPr>" if head else ""
        return f"<w:tr>{repeated}{cells}</w:tr>"

    def _pieces(self, pieces: Pieces, *, bold: bool = False) -> str:
        return "".join(self._piece(piece, bold=bold) for piece in pieces)

    def _piece(self, piece: MarkdownSpan, *, bold: bool) -> str:
        if piece.citation:
            number = _run(f"[{piece.citation}]", '<w:rStyle w:val="ReferenceNumber"/>')
            return f'<w:hyperlink w:anchor="source{piece.citation}" w:history="1">{number}</w:hyperlink>'
        looks = (
            ('<w:rStyle w:val="CodeWords"/>', piece.code),
            ("<w:b/>", piece.bold or bold),
            ("<w:i/>", piece.italic),
            ("<w:strike/>", piece.struck),
        )
        text = readable_math(piece.text) if piece.math else piece.text
        return _run(text, "".join(look for look, wanted in looks if wanted))

    def _link(self, address: str, text: str) -> str:
        self.links.append(address)
        return f'<w:hyperlink r:id="rId{len(self.links) + 2}" w:history="1">{text}</w:hyperlink>'


def _content_types(parts: Mapping[str, str]) -> str:
    """Return the list of parts with their types, without the ending `+xml`."""
    each = "".join(f'<Override PartName="{part}" ContentType="{kind}+xml"/>' for part, kind in parts.items())
    return (
        f'{_DECLARED}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{each}</Types>'
    )


def _relations(parts: Sequence[tuple[str, str, str, str]]) -> str:
    """Return relations from their name, type, target, and mode: empty within the package."""
    each = "".join(
        f"<Relationship Id={quoteattr(name)} Type={quoteattr(kind)} Target={quoteattr(target)}"
        f"{f' TargetMode={quoteattr(mode)}' if mode else ''}/>"
        for name, kind, target, mode in parts
    )
    return f'{_DECLARED}<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'


def _paragraph(content: str, style: str = "", more: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    looks = f"<w:pPr>{named}{more}</w:pPr>" if named or more else ""
    return f"<w:p>{looks}{content}</w:p>"


def _run(text: str, looks: str = "") -> str:
    lines = escape(CONTROL.sub("\ufffd", text)).split("\n")
    words = "<w:br/>".join(f'<w:t xml:space="preserve">{line}</w:t>' for line in lines)
    return f"<w:r>{f'<w:rPr>{looks}</w:rPr>' if looks else ''}{words}</w:r>"


def _style(name: str, shown: str, text: str = "", paragraph: str = "", kind: str = "paragraph") -> str:
    based = '<w:basedOn w:val="Normal"/>' if kind == "paragraph" and name != "Normal" else ""
    default = ' w:default="1"' if name == "Normal" else ""
    follows = '<w:next w:val="Normal"/>' if name.startswith(("Heading", "Title", "Subtitle")) else ""
    return (
        f'<w:style w:type="{kind}"{default} w:styleId="{name}"><w:name w:val="{shown}"/>{based}{follows}<w:qFormat/>'
        f"{f'<w:pPr>{paragraph}</w:pPr>' if paragraph else ''}{f'<w:rPr>{text}</w:rPr>' if text else ''}</w:style>"
    )


def _styles() -> str:
    def size(points: float) -> str:
        return f'<w:sz w:val="{int(points * 2)}"/>'

    grey, mono = '<w:color w:val="50555E"/>', '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>'
    keep = '<w:keepNext/><w:spacing w:before="240" w:after="80"/>'
    headings = "".join(
        _style(
            f"Heading{level}", f"heading {level}", f"<w:b/>{size(points)}", f'{keep}<w:outlineLvl w:val="{level - 1}"/>'
        )
        for level, points in enumerate((16, 14, 12, 11, 11, 11), 1)
    )
    edge = "".join(
        f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="C9CED6"/>'
        for side in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
    table = (
        '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/>'
        f"<w:tblPr><w:tblBorders>{edge}</w:tblBorders></w:tblPr></w:style>"
    )
    spaced = '<w:spacing w:after="120" w:line="276" w:lineRule="auto"/>'
    quote = '<w:ind w:left="360" w:right="360"/>'
    return (
        f"{_DECLARED}<w:styles {_SPACES}>"
        f'<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/>{size(11)}'
        "</w:rPr></w:rPrDefault></w:docDefaults>"
        + _style("Normal", "Normal", "", spaced)
        + _style("Title", "Title", f"<w:b/>{size(22)}", '<w:spacing w:after="120"/>')
        + _style("Subtitle", "Subtitle", grey + size(9.5))
        + headings
        + _style("ListBullet", "List Bullet")
        + _style("ListNumber", "List Number")
        + _style("Quote", "Quote", "<w:i/>" + grey, quote)
        + _style("Code", "HTML Preformatted", mono + size(9.5), '<w:spacing w:after="0"/>')
        + _style("Reference", "Bibliography", size(9.5), '<w:ind w:left="480" w:hanging="480"/>')
        + _style("ReferenceNumber", "Reference Number", '<w:color w:val="2F54C8"/>', kind="character")
        + _style("CodeWords", "HTML Code", mono, kind="character")
        + table
        + "</w:styles>"
    )


def _numbering(lists: int) -> str:
    """Return the marks of lists: the first is of bullets, each further one a list that begins at 1."""

    def levels(kind: str, mark: str) -> str:
        return "".join(
            f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>'
            f'<w:lvlText w:val="{mark.format(level + 1)}"/>'
            f'<w:pPr><w:ind w:left="{_INDENT * (level + 1)}" w:hanging="{_INDENT}"/></w:pPr></w:lvl>'
            for level in range(_DEEPEST + 1)
        )

    nested, begun = (
        '<w:multiLevelType w:val="multilevel"/>',
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>',
    )
    numbered = "".join(
        f'<w:num w:numId="{number}"><w:abstractNumId w:val="1"/>{begun}</w:num>' for number in range(2, lists + 2)
    )
    return (
        f"{_DECLARED}<w:numbering {_SPACES}>"
        f'<w:abstractNum w:abstractNumId="0">{nested}{levels("bullet", "•")}</w:abstractNum>'
        f'<w:abstractNum w:abstractNumId="1">{nested}{levels("decimal", "%{}.")}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>{numbered}</w:numbering>'
    )
