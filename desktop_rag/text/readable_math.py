r"""Formulas in a text, and TeX as a line that people can read, such as “√(a² + b²)”, where no formula can be drawn.

A dollar sign opens a formula only where it cannot be an amount of money, as in “$5 and $10”.
"""

import re
import unicodedata
from collections.abc import Iterator

LONGEST_FORMULA = 2_000  # characters
_PAIRS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_OPENING = re.compile(r"(?<!\\)(?:\\[\[(]|\$\$?)")
_OPERATOR = re.compile(r"[\\^_{}=<>+*/|≤≥≈≠∈·×−-]")
_SYMBOL = re.compile(r"[^\W\d_]{1,2}'?")
_NAMED = re.compile(r"\\[A-Za-z]{2,}")
_WORDS = re.compile(r"(?<![\\\w{])[^\W\d_]{3,}")  # prose between two amounts: “$5 plus fees to the $”

_SYMBOLS = {
    "cdot": "·", "times": "×", "div": "÷", "pm": "±", "mp": "∓", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼", "propto": "∝", "infty": "∞", "to": "→",
    "rightarrow": "→", "leftarrow": "←", "Rightarrow": "⇒", "Leftrightarrow": "⇔", "iff": "⇔", "mapsto": "↦",
    "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "emptyset": "∅",
    "forall": "∀", "exists": "∃", "neg": "¬", "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "oplus": "⊕",
    "otimes": "⊗", "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏", "int": "∫", "oint": "∮", "degree": "°",
    "circ": "∘", "ldots": "…", "dots": "…", "cdots": "⋯", "prime": "′", "perp": "⊥", "parallel": "∥", "angle": "∠",
    "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "mid": "|", "hbar": "ℏ",
    "ell": "ℓ", "Re": "ℜ", "Im": "ℑ", "aleph": "ℵ", "varepsilon": "ε", "varphi": "φ", "vartheta": "ϑ", "setminus": "∖",
}  # fmt: skip
_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
}  # fmt: skip
_RAISED = dict(zip("0123456789+-=()niTx", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀˣ", strict=True))
_LOWERED = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_GROUP = r"\{([^{}]*)\}"
_TEXT = re.compile(r"\\(?:text(?:bf|it|rm)?|math(?:rm|bf|it|cal|bb|sf)|operatorname\*?|boldsymbol)" + _GROUP)
_FRACTION = re.compile(r"\\[dt]?frac\s*" + _GROUP + r"\s*" + _GROUP)
_ROOT = re.compile(r"\\sqrt\s*(?:\[([^\]]*)\])?\s*" + _GROUP)
_SCRIPT = re.compile(r"([_^])(?:" + _GROUP + r"|(\\[A-Za-z]+|[^\s{}\\_^]))")
_COMMAND = re.compile(r"\\([A-Za-z]+)\s*")
_SIZES = re.compile(r"\\(?:left|right|big|Big|bigg|Bigg|displaystyle|limits|nolimits)(?![A-Za-z])\.?")
_SPACE = re.compile(r"\\[,;:! ]|\\q?quad(?![A-Za-z])|~|&|\\\\")
_SIMPLE = re.compile(r"[\w.′∞]+")
_OPEN, _CLOSE, _UP, _DOWN = map(chr, range(0xE000, 0xE004))  # stand for signs of text among those of TeX
_SHOWN = {ord(_OPEN): "{", ord(_CLOSE): "}", ord(_UP): "^", ord(_DOWN): "_"}
_HIDDEN = dict.fromkeys(_SHOWN)
_DEEPEST = 12  # nested groups that are resolved


def readable_math(tex: str) -> str:
    """Return TeX as text: Greek letters and signs, raised and lowered figures, fractions with a slash."""
    text = _SPACE.sub(" ", _SIZES.sub("", tex)).translate(_HIDDEN)
    text = text.replace("\\{", _OPEN).replace("\\}", _CLOSE).replace("^\\circ", "°").replace("^{\\circ}", "°")
    for _ in range(_DEEPEST):
        before = text
        text = _TEXT.sub(lambda found: found[1], text)
        text = _SCRIPT.sub(_script, text)
        text = _FRACTION.sub(lambda found: f"{_grouped(found[1])}/{_grouped(found[2])}", text)
        text = _ROOT.sub(lambda found: f"{_scripted(found[1] or '', '^')}√{_grouped(found[2])}", text)
        if text == before:
            break
    text = re.sub(r"[{}\\]", "", _COMMAND.sub(_symbol, text))
    return " ".join(text.translate(_SHOWN).split())


def _script(found: re.Match[str]) -> str:
    return _scripted(found[2] if found[2] is not None else found[3], found[1])


def _scripted(text: str, sign: str) -> str:
    """Return `text` raised (`^`) or lowered (`_`), in letters of their own if there are."""
    text = _COMMAND.sub(_symbol, text).strip()
    letters = _RAISED if sign == "^" else _LOWERED
    if text and all(letter in letters for letter in text):
        return "".join(letters[letter] for letter in text)
    return f"{_UP if sign == '^' else _DOWN}{_grouped(text)}" if text else ""


def _grouped(text: str) -> str:
    text = text.strip()
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _symbol(found: re.Match[str]) -> str:
    name, space = found[1], " " if found[0][-1].isspace() else ""
    if name.lower() in _GREEK:
        case = "CAPITAL" if name[0].isupper() else "SMALL"
        letter = "lamda" if name.lower() == "lambda" else name
        return unicodedata.lookup(f"GREEK {case} LETTER {letter.upper()}") + space
    return _SYMBOLS.get(name, name) + space


def formulas(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start, the end and the TeX of each formula in `text`."""
    at = 0
    while opening := _OPENING.search(text, at):
        at = opening.end()
        if found := formula_at(text, opening.start(), len(text)):
            _, tex, at = found
            yield opening.start(), at, tex


def formula_at(text: str, start: int, stop: int) -> tuple[str, str, int] | None:
    """Return the opening sign, the TeX and the end of the formula that begins at `start`; None if none does."""
    for opening, closing in _PAIRS:
        if text.startswith(opening, start):
            end = _end(text, start + len(opening), min(stop, start + LONGEST_FORMULA), closing)
            formula = text[start + len(opening) : end]
            if end < 0 or not formula.strip() or "](" in formula:
                return None
            if opening == "$" and not _is_formula(formula, text[end + 1 : end + 2]):
                return None
            return opening, formula.strip(), end + len(closing)
    return None


def _end(text: str, start: int, stop: int, closing: str) -> int:
    """Return where a formula ends, or -1; an escaped dollar sign is part of it."""
    at = text.find(closing, start, stop)
    while at > 0 and closing[0] == "$" and text[at - 1] == "\\":
        at = text.find(closing, at + 1, stop)
    return at


def _is_formula(text: str, after: str) -> bool:
    """Return whether the text between two dollar signs is no prose between two amounts of money."""
    if text[0].isspace() or text[-1].isspace() or after.isdigit():
        return False
    if _WORDS.search(text) and not _NAMED.search(text):
        return False
    return bool(_OPERATOR.search(text) or _SYMBOL.fullmatch(text) or text.isdigit())
