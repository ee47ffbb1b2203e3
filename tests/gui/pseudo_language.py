"""A language nobody speaks, longer than English, accented and in brackets: to see what a translation breaks."""

import re

from PySide6.QtCore import QObject, QTranslator

_ACCENTED = str.maketrans("aeiouAEIOUcnsy", "åéîöûÅÉÎÖÛçñšý")
_KEPT = re.compile(r"\{\w*\}|%L?n|%\d|<[^>]+>|&\w*;?|\(\w*\|?\w*\)|https?://\S+")
LONGER = 0.3  # German is about a third longer than English


class PseudoLanguage(QTranslator):
    """Translates everything that is passed to a translation function, and nothing else."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.asked: set[tuple[str, str]] = set()

    def isEmpty(self) -> bool:
        """Return False: Qt asks only translators with a catalogue."""
        return False

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        """Return the source, accented and longer; placeholders and tags stay."""
        del disambiguation, n
        self.asked.add((context, source))
        return pseudo(source) if any(map(str.isalpha, source)) else source


def pseudo(source: str) -> str:
    """Return “[Öpéñ·····]” for a text."""
    parts, at = [], 0
    for kept in _KEPT.finditer(source):
        parts += [source[at : kept.start()].translate(_ACCENTED), kept[0]]
        at = kept.end()
    parts.append(source[at:].translate(_ACCENTED))
    more = max(1, round(len(source) * LONGER))
    filling = " ".join("~" * min(8, more - start) for start in range(0, more, 9))
    words = "".join(parts)
    end = re.search(r"[…:]?$", words)
    return f"[{words[: end.start()] if end else words} {filling}]{end[0] if end else ''}"
