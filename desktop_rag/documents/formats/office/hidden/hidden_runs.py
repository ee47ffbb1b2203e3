"""Tells how text of a Word document looks (hidden, raised, struck out) by runs, their styles and what is around."""

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce

from lxml import etree

from desktop_rag.documents.document import MarkKind
from desktop_rag.documents.formats.inline_text import LEAST_SIZE, TextLook, are_alike, with_bases
from desktop_rag.documents.formats.office.docx_styles import OFF, VALUE, Properties, W, based_on, properties_of

_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_RUN_PROPERTIES = f"{W}rPr"
_PAPER = ("background1", "light1")  # theme colours
_HIGHLIGHTS = {
    "darkblue": "navy", "darkgreen": "green", "darkred": "maroon", "darkmagenta": "purple", "darkcyan": "teal",
    "darkyellow": "808000", "darkgray": "gray", "lightgray": "silver", "cyan": "00ffff", "magenta": "ff00ff",
}  # fmt: skip
_LEAST_HEIGHT = 20 * LEAST_SIZE  # twentieths of a point
_LEAST_WIDTH = 5  # percent of a letter
_CLEAR = 95_000  # thousandths of a percent
_FRAMES = (f"{_DRAWING}anchor", f"{_DRAWING}inline")
_UNSEEN = ("visibility:hidden", "display:none")
_ALIGNED = {"superscript": MarkKind.SUPERSCRIPT, "subscript": MarkKind.SUBSCRIPT}
_SIZE, _WIDTH, _VANISH, _COLOUR, _HIGHLIGHT, _SHADING, _ALIGNMENT, _POSITION = (
    f"{W}{name}" for name in ("sz", "w", "vanish", "color", "highlight", "shd", "vertAlign", "position")
)
_LINES, _TEXT_FILL = (f"{W}strike", f"{W}dstrike"), f"{_W14}textFill"
_LOOKS = frozenset((_SIZE, _WIDTH, _VANISH, _COLOUR, _HIGHLIGHT, _SHADING, _ALIGNMENT, _POSITION, *_LINES, _TEXT_FILL))
_RUN_STYLE, _SPACING = f"{W}rStyle", f"{W}spacing"
_LEAST_RAISED = 4  # half-points


_NO_LOOK = TextLook()


class HiddenRuns:
    """What the styles of a document hide, and what runs and the elements around them hide."""

    def __init__(self, styles: "etree._Element | None") -> None:
        self._styles: dict[str, etree._Element] = {}
        self._default = ""
        usual = styles.find(f"{W}docDefaults/{W}rPrDefault") if styles is not None else None
        self._plain = _look(properties_of(usual, _RUN_PROPERTIES)) if usual is not None else _NO_LOOK
        for style in styles.iter(f"{W}style") if styles is not None else ():
            name = style.get(f"{W}styleId", "")
            self._styles[name] = style
            if style.get(f"{W}default") in ("1", "true", "on") and style.get(f"{W}type") == "paragraph":
                self._default = name
        self._merged: dict[tuple[str, str], TextLook] = {}
        self._around: tuple[etree._Element | None, bool] = (None, False)  # the last element, and whether it is unseen
        self._ground: tuple[etree._Element | None, str] = (None, "white")  # the last element, and the colour in it
        self._outer: tuple[etree._Element | None, str] = (None, "white")  # the one around that

    def hides_all(self, paragraph: "etree._Element", properties: Properties) -> bool:
        """Return whether nothing of a paragraph is shown, whatever its runs say."""
        spacing = properties.get(_SPACING)
        if spacing is not None and spacing.get(f"{W}lineRule") == "exact" and _is_flat(spacing.get(f"{W}line")):
            return True
        around = paragraph.getparent()  # of most paragraphs that of the one before
        if around is not self._around[0]:
            self._around = around, any(map(_is_unseen, paragraph.iterancestors()))
        return self._around[1]

    def of(self, run: "etree._Element", own: Properties, style: str) -> tuple[bool, tuple[MarkKind, ...]]:
        """Return whether a run in a paragraph of a style is not shown; whether it is raised, lowered, struck out."""
        named = own.get(_RUN_STYLE)
        look = self._styled(named.get(VALUE, "") if named is not None else "", style or self._default)
        if own and (look_of_run := _look(own)) is not _NO_LOOK:
            look = look_of_run.over(look)
        kinds = (MarkKind.STRIKETHROUGH,) if look.struck else ()
        if isinstance(look.moved, MarkKind):
            kinds = (*kinds, look.moved)
        return look.is_unseen(self._behind(run) if look.colour and not look.fill else ""), kinds

    def _styled(self, style: str, block: str) -> TextLook:
        found = self._merged.get((style, block))
        if found is None:
            family = (*self._family(style), *self._family(block))
            looks = (*map(_look_of_style, family), self._plain)
            found = self._merged[style, block] = reduce(TextLook.over, looks, _NO_LOOK)
        return found

    def _family(self, name: str) -> "Iterator[etree._Element]":
        return with_bases(self._styles, name, based_on)

    def _behind(self, run: "etree._Element") -> str:
        """Return the colour behind a run; empty if it is not known."""
        around = run.getparent()  # of most runs that of the one before
        if around is not None and around is not self._ground[0]:
            outer = around.getparent()
            if outer is not self._outer[0]:
                grounds = () if outer is None else map(self._ground_of, (outer, *outer.iterancestors()))
                self._outer = outer, next((ground for ground in grounds if ground is not None), "white")
            own = self._ground_of(around)
            self._ground = around, self._outer[1] if own is None else own
        return self._ground[1]

    def _ground_of(self, element: "etree._Element") -> str | None:
        """Return the colour that an element puts behind what is in it: None for none, empty if it is not known."""
        if element.tag == f"{W}txbxContent":
            return ""
        properties = properties_of(element, f"{element.tag}Pr")
        fill = _fill(properties.get(_HIGHLIGHT), properties.get(_SHADING)) if properties else None
        if fill is None and element.tag == f"{W}tbl":
            style = properties.get(f"{W}tblStyle")
            name = style.get(VALUE, "") if style is not None else ""
            family = list(self._family(name))
            return "" if name and (not family or any(map(_is_shaded, family))) else None
        return fill


def _look_of_style(style: "etree._Element") -> TextLook:
    look, block = _look(properties_of(style, _RUN_PROPERTIES)), _look(properties_of(style, f"{W}pPr"))
    return look._replace(fill=look.fill or block.fill)


def _is_shaded(style: "etree._Element") -> bool:
    """Return whether a style is one of tables with a colour of its own."""
    return style.get(f"{W}type") == "table" and next(style.iter(_SHADING), None) is not None


def _look(found: Properties) -> TextLook:
    if _LOOKS.isdisjoint(found):
        return _NO_LOOK
    size, width = _number(found.get(_SIZE)), _number(found.get(_WIDTH))
    vanish = found.get(_VANISH)
    return TextLook(
        None if vanish is None else vanish.get(VALUE) not in OFF,
        None if size is None and width is None else _below(size, 2 * LEAST_SIZE) or _below(width, _LEAST_WIDTH),
        _is_clear(found.get(_TEXT_FILL)),
        _colour(found.get(_COLOUR)),
        _fill(found.get(_HIGHLIGHT), found.get(_SHADING)),
        _is_struck(found),
        _moved(found),
    )


def _is_struck(found: Properties) -> bool | None:
    lines = [line for name in _LINES if (line := found.get(name)) is not None]
    return any(line.get(VALUE) not in OFF for line in lines) if lines else None


def _moved(found: Properties) -> MarkKind | str | None:
    """Return where letters stand beside the line: by their alignment, or as far above it as marks are."""
    aligned, position = found.get(_ALIGNMENT), _number(found.get(_POSITION))
    if aligned is not None:
        return _ALIGNED.get(aligned.get(VALUE, ""), "")
    return MarkKind.SUPERSCRIPT if position is not None and position >= _LEAST_RAISED else None


def _colour(colour: "etree._Element | None") -> str | None:
    if colour is None:
        return None
    if colour.get(f"{W}themeColor") in _PAPER and colour.get(f"{W}themeShade") is None:
        return "white"
    value = colour.get(VALUE, "")
    return "" if value == "auto" else value


def _fill(highlight: "etree._Element | None", shading: "etree._Element | None") -> str | None:
    """Return the colour that properties put behind letters; None if they put none."""
    if highlight is not None and (value := highlight.get(VALUE, "").lower()) not in ("", "none"):
        return _HIGHLIGHTS.get(value, value)
    fill = shading.get(f"{W}fill", "") if shading is not None else ""
    return fill if fill not in ("", "auto") else None


def _is_clear(fill: "etree._Element | None") -> bool | None:
    """Return whether letters are filled with nothing, or nearly so."""
    if fill is None:
        return None
    alpha = next(fill.iter(f"{_W14}alpha"), None)
    amount = alpha.get(f"{_W14}val", "") if alpha is not None else ""
    return fill.find(f"{_W14}noFill") is not None or (amount.isdecimal() and int(amount) >= _CLEAR)


def _is_unseen(element: "etree._Element") -> bool:
    """Return whether an element around text hides it: a hidden or flat row, a hidden drawing."""
    if element.tag == f"{W}tr":
        properties = element.find(f"{W}trPr")
        if properties is None:
            return False
        hidden, height = properties.find(f"{W}hidden"), properties.find(f"{W}trHeight")
        return (hidden is not None and hidden.get(VALUE) not in OFF) or (
            height is not None and height.get(f"{W}hRule") == "exact" and _is_flat(height.get(VALUE))
        )
    if element.tag in _FRAMES:
        named = element.find(f"{_DRAWING}docPr")
        return named is not None and named.get("hidden") in ("1", "true")
    return any(each in element.get("style", "").replace(" ", "") for each in _UNSEEN)


def _is_flat(height: str | None) -> bool:
    return bool(height) and str(height).isdecimal() and int(str(height)) < _LEAST_HEIGHT


def _below(number: int | None, least: float) -> bool:
    return number is not None and number < least


def _number(element: "etree._Element | None") -> int | None:
    text = element.get(VALUE, "").rstrip("%") if element is not None else ""
    return int(text) if text.isdecimal() else None


# How letters of a Rich Text file look, as far as it hides them: control words of its characters.

LOOKS = {"v": "off", "deleted": "off", "fs": "size", "charscalex": "width", "cf": "colour"}
LOOKS |= dict.fromkeys(("cb", "highlight", "chcbpat"), "fill")


def are_hidden(said: Mapping[str, int | None], colours: Sequence[str], behind: str) -> bool:
    """Return whether letters are not seen of which this is `said`, the last argument of each of `LOOKS`.

    Colours are numbers, 0 for the usual one; `behind` is the colour of the paragraph, empty if not known.
    """
    if said.get("off", 0) != 0 or _below(said.get("size"), 2 * LEAST_SIZE) or _below(said.get("width"), _LEAST_WIDTH):
        return True
    letters, fill = _at(colours, said.get("colour") or 0), said.get("fill") or 0
    return bool(letters) and are_alike(letters, _at(colours, fill) if fill else behind)


def _at(colours: Sequence[str], number: int) -> str:
    return colours[number] if 0 < number < len(colours) else ""
