"""The colours of the light and the dark theme, by purpose.

Text has a contrast of at least 4.5 : 1, meaningful lines 3 : 1; a test computes both.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

from PySide6.QtGui import QColor, QPalette


@dataclass(frozen=True, slots=True)
class Colors:
    """The colours of one theme as `#rrggbb` strings, for style sheets, painters and rich text."""

    dark: bool
    window: str  # sidebars, bars
    surface: str  # the reading area, input fields
    raised: str  # cards, menus, toasts, dialogs' buttons
    hover: str
    pressed: str
    selected: str  # background of a selected row
    border: str  # hairlines between areas
    outline: str  # border of an interactive element
    text: str
    muted: str  # secondary text, captions
    faint: str  # placeholders and disabled text that must stay readable
    disabled: str
    scroll: str  # a scroll bar at rest
    accent: str  # the accent colour
    accent_hover: str
    on_accent: str
    accent_soft: str  # a tinted area behind text in `link` or `text`
    link: str
    focus: str
    success: str
    success_soft: str
    warning: str
    warning_soft: str
    danger: str
    danger_soft: str
    mark: str  # behind quoted words; their text stays `text`
    mark_edge: str
    code: str  # behind code
    bubble: str  # behind the user's own question
    track: str  # the empty part of a progress bar or meter
    searchable: str  # the lighter shade of progress
    ready: str  # the full shade of progress
    meter_instructions: str
    meter_history: str
    meter_evidence: str
    meter_answer: str


LIGHT = Colors(
    dark=False,
    window="#f5f6f8",
    surface="#ffffff",
    raised="#ffffff",
    hover="#eaecf1",
    pressed="#dfe3ea",
    selected="#e0e8fb",
    border="#e0e3e9",
    outline="#868d9b",
    text="#1b1e25",
    muted="#4f5665",
    faint="#626979",
    disabled="#9aa1ae",
    scroll="#c3c8d1",
    accent="#3459d1",
    accent_hover="#2a4ab4",
    on_accent="#ffffff",
    accent_soft="#eaf0fd",
    link="#2a4fc4",
    focus="#3459d1",
    success="#176b41",
    success_soft="#e2f3e9",
    warning="#805100",
    warning_soft="#fcf0d6",
    danger="#b3261e",
    danger_soft="#fbe9e7",
    mark="#ffefb0",
    mark_edge="#c99700",
    code="#f1f3f6",
    bubble="#edf1fa",
    track="#e2e5eb",
    searchable="#9db4ee",
    ready="#3459d1",
    meter_instructions="#7a8294",
    meter_history="#7b5cc4",
    meter_evidence="#3459d1",
    meter_answer="#1e8a5a",
)

DARK = Colors(
    dark=True,
    window="#16181c",
    surface="#1d1f24",
    raised="#26292f",
    hover="#2a2d34",
    pressed="#343841",
    selected="#2a3654",
    border="#2e3138",
    outline="#747b89",
    text="#e7e9ee",
    muted="#b0b6c2",
    faint="#979eac",
    disabled="#6b7280",
    scroll="#484d57",
    accent="#4669de",
    accent_hover="#3d5ed0",
    on_accent="#ffffff",
    accent_soft="#232d47",
    link="#9db6ff",
    focus="#8aa6ff",
    success="#74d3a0",
    success_soft="#1c3329",
    warning="#f0c063",
    warning_soft="#3a2f17",
    danger="#ff9a90",
    danger_soft="#42211f",
    mark="#5a4a12",
    mark_edge="#d9ad33",
    code="#25282e",
    bubble="#272c38",
    track="#353942",
    searchable="#40558f",
    ready="#7f9cf5",
    meter_instructions="#8a92a3",
    meter_history="#a78bf0",
    meter_evidence="#7f9cf5",
    meter_answer="#58bd8b",
)

_CONTRAST = 4.5  # of white text on the accent, and of links
_SEEN = 3.0  # of a line or a bar


@lru_cache(maxsize=8)
def accented(colors: Colors, accent: str) -> Colors:
    """Return the colours with another accent (`#rrggbb`, "" for our own), as light or dark as it must be to be read."""
    chosen = QColor(accent)
    if not accent or not chosen.isValid():
        return colors
    surface = QColor(colors.surface)
    grounds = (surface, QColor(colors.window), QColor(colors.raised))
    soft = _mixed(chosen, surface, 0.12)
    full = _until(chosen, (QColor(colors.on_accent),), _CONTRAST, darker=True)
    line = _until(chosen, grounds, _SEEN, darker=not colors.dark)
    words = _until(chosen, (*grounds, soft), _CONTRAST, darker=not colors.dark)
    return replace(
        colors,
        accent=full.name(),
        accent_hover=full.darker(115).name(),
        accent_soft=soft.name(),
        selected=_mixed(chosen, surface, 0.18).name(),
        link=words.name(),
        focus=line.name(),
        ready=line.name(),
        meter_evidence=line.name(),
        searchable=_mixed(line, surface, 0.5).name(),
    )


def _until(color: QColor, grounds: Sequence[QColor], contrast: float, *, darker: bool) -> QColor:
    """Return `color` with its lightness changed in steps until it has this contrast with all grounds."""
    hue, saturation, lightness = max(0.0, color.hslHueF()), color.hslSaturationF(), color.lightnessF()
    end = 0.0 if darker else 1.0
    while lightness != end and min(_contrast(color, ground) for ground in grounds) < contrast:
        lightness = max(0.0, min(1.0, lightness + (-0.02 if darker else 0.02)))
        color = QColor.fromHslF(hue, saturation, lightness)
    return color


def _mixed(color: QColor, ground: QColor, share: float) -> QColor:
    parts = zip(_parts(color), _parts(ground), strict=True)
    return QColor(*(round(share * one + (1 - share) * other) for one, other in parts))


def _parts(color: QColor) -> tuple[int, int, int]:
    return color.red(), color.green(), color.blue()


def _contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of two colours (WCAG 2.1)."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(color: QColor) -> float:
    parts = (part / 255 for part in _parts(color))
    red, green, blue = (part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4) for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


_ROLES: tuple[tuple[QPalette.ColorRole, str], ...] = (
    (QPalette.ColorRole.Window, "window"),
    (QPalette.ColorRole.WindowText, "text"),
    (QPalette.ColorRole.Base, "surface"),
    (QPalette.ColorRole.AlternateBase, "window"),
    (QPalette.ColorRole.Text, "text"),
    (QPalette.ColorRole.Button, "raised"),
    (QPalette.ColorRole.ButtonText, "text"),
    (QPalette.ColorRole.ToolTipBase, "raised"),
    (QPalette.ColorRole.ToolTipText, "text"),
    (QPalette.ColorRole.PlaceholderText, "faint"),
    (QPalette.ColorRole.Highlight, "accent"),
    (QPalette.ColorRole.HighlightedText, "on_accent"),
    (QPalette.ColorRole.Accent, "accent"),
    (QPalette.ColorRole.Link, "link"),
    (QPalette.ColorRole.LinkVisited, "link"),
    (QPalette.ColorRole.BrightText, "danger"),
    (QPalette.ColorRole.Light, "raised"),
    (QPalette.ColorRole.Midlight, "border"),
    (QPalette.ColorRole.Mid, "outline"),
    (QPalette.ColorRole.Dark, "outline"),
    (QPalette.ColorRole.Shadow, "text"),
)


def palette_of(colors: Colors) -> QPalette:
    """Return the Qt palette of a theme, for everything the style sheet leaves to the widget style."""
    palette = QPalette()
    for role, name in _ROLES:
        palette.setColor(role, QColor(getattr(colors, name)))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colors.disabled))
    return palette


# Kinds of tokens in code and prose, and their colours in the light and dark themes.

Token = tuple[int, object, str]  # (start, Pygments type, text)


class TokenKind(IntEnum):
    """The kind of a part of a line."""

    COMMENT = 1
    KEYWORD = 2
    STRING = 3
    NUMBER = 4
    NAME = 5
    TAG = 6
    DECORATOR = 7
    BUILTIN = 8
    HEADING = 9
    STRONG = 10
    MARKER = 11
    CODE = 12
    QUOTED = 13
    LINK = 14


_TONES = {
    "Comment": TokenKind.COMMENT,
    "Keyword": TokenKind.KEYWORD,
    "String": TokenKind.STRING,
    "Number": TokenKind.NUMBER,
    "Function": TokenKind.NAME,
    "Class": TokenKind.NAME,
    "Attribute": TokenKind.NAME,
    "Tag": TokenKind.TAG,
    "Decorator": TokenKind.DECORATOR,
    "Builtin": TokenKind.BUILTIN,
    "Heading": TokenKind.HEADING,
    "Subheading": TokenKind.HEADING,
}
_LIGHT = {
    TokenKind.COMMENT: "#5d6b7a",
    TokenKind.KEYWORD: "#8a2ba8",
    TokenKind.STRING: "#176b41",
    TokenKind.NUMBER: "#9a4a00",
    TokenKind.NAME: "#2a4fc4",
    TokenKind.TAG: "#8a2ba8",
    TokenKind.DECORATOR: "#805100",
    TokenKind.BUILTIN: "#00687a",
}
_DARK = {
    TokenKind.COMMENT: "#a3abb9",
    TokenKind.KEYWORD: "#d3a0f0",
    TokenKind.STRING: "#8bd5a8",
    TokenKind.NUMBER: "#f0b070",
    TokenKind.NAME: "#9db6ff",
    TokenKind.TAG: "#d3a0f0",
    TokenKind.DECORATOR: "#f0c063",
    TokenKind.BUILTIN: "#7fd3e0",
}


def shades(colors: Colors) -> dict[TokenKind, str]:
    """Return the colour of each coloured token kind, as `#rrggbb`."""
    return (_DARK if colors.dark else _LIGHT) | {TokenKind.HEADING: colors.text}


def toned(tokens: Iterable[Token]) -> Iterator[tuple[int, str, TokenKind]]:
    """Yield (start, text, kind) of the Pygments tokens that have a colour."""
    done = 0
    for start, kind, text in tokens:
        if start < done or not text.strip():  # nested lexers may go back
            continue
        tone = next((_TONES[part] for part in reversed(str(kind).split(".")) if part in _TONES), None)
        if tone is not None:
            done = start + len(text)
            yield start, text, tone
