"""The characters of fonts whose letters are symbols: the encoding of Symbol, and boxes and marks of Wingdings."""

_GREEK = "!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_SIGNS = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪"
_BEHIND = "〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
_SYMBOL = {0x21 + at: char for at, char in enumerate(_GREEK)}
_SYMBOL |= {0xA0 + at: char for at, char in enumerate(_SIGNS)} | {0xF1 + at: char for at, char in enumerate(_BEHIND)}
_WINGDINGS = {
    0x6C: "●", 0x6E: "■", 0x6F: "☐", 0x71: "❑", 0x75: "◆", 0x76: "❖", 0x78: "☒", 0x9F: "•", 0xA1: "○", 0xA7: "▪",
    0xA8: "☐", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐", 0x2A: "☐", 0x30: "☑"}
_ZAPF = {code: chr(0x2701 + code - 0x21) for code in (*range(0x21, 0x6C), *range(0x6D, 0x7F))}
_ZAPF |= {0x25: "☎", 0x2A: "☛", 0x2B: "☞", 0x48: "★", 0x6C: "●", 0x6E: "■", 0x73: "▲", 0x74: "▼", 0x75: "◆", 0x77: "◗"}
_ZAPF |= dict.fromkeys(range(0x6F, 0x73), "☐")  # with shadows
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2, "zapfdingbats": _ZAPF}
PRIVATE = range(0xF000, 0xF100)  # where Word keeps the codes of these fonts
BULLET = "•"


def is_symbol_font(font: str) -> bool:
    """Return whether the letters of a font are symbols."""
    return font.lower() in _FONTS


def symbol(code: int, font: str) -> str:
    """Return the character of a code in a font of symbols; a bullet for one that is not known."""
    known = _FONTS.get(font.lower())
    if known is None:
        return BULLET if code in PRIVATE or not 32 <= code < 0xD800 else chr(code)
    code &= 0xFF
    return " " if code == 32 else known.get(code, BULLET)


def symbols_drawn(text: str, font: str) -> str:
    """Return a text as it is drawn in a font of symbols; characters that are symbols already stay."""
    codes = (ord(char) for char in text)
    return "".join(symbol(code, font) if code < 0x100 or code in PRIVATE else chr(code) for code in codes)


def symbols(text: str, font: str) -> str:
    """Return a text in a font of symbols as the characters that it shows."""
    return "".join(symbol(ord(char), font) for char in text) if is_symbol_font(font) else text
