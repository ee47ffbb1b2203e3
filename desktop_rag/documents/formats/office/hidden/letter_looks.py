"""How letters of a Rich Text file look, as far as it hides them: control words of its characters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop_rag.documents.formats.inline_text import LEAST_SIZE, are_alike

LOOKS = frozenset(("v", "deleted", "fs", "charscalex", "cf", "cb", "highlight", "chcbpat"))
_LEAST_WIDTH = 5  # percent of a letter


@dataclass(frozen=True, slots=True)
class LetterLook:
    """What applies to the letters of one group; colours by their number, 0 for the usual one."""

    is_off: bool = False
    is_tiny: bool = False
    is_narrow: bool = False
    colour: int = 0
    fill: int = 0

    def after(self, word: str, argument: int | None) -> "LetterLook":
        """Return the look after a control word."""
        match word:
            case "v" | "deleted":
                return replace(self, is_off=argument != 0)
            case "fs":
                return replace(self, is_tiny=argument is not None and argument < 2 * LEAST_SIZE)
            case "charscalex":
                return replace(self, is_narrow=argument is not None and argument < _LEAST_WIDTH)
            case "cf":
                return replace(self, colour=argument or 0)
        return replace(self, fill=argument or 0)

    def is_hidden(self, colours: Sequence[str], behind: str) -> bool:
        """Return whether the letters are not seen; `behind` is the colour of the paragraph, empty if not known."""
        if self.is_off or self.is_tiny or self.is_narrow:
            return True
        letters = _at(colours, self.colour)
        return bool(letters) and are_alike(letters, _at(colours, self.fill) if self.fill else behind)


PLAIN_LETTERS = LetterLook()


def _at(colours: Sequence[str], number: int) -> str:
    return colours[number] if 0 < number < len(colours) else ""
