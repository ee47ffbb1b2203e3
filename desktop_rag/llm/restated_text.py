"""Leaves out what a server sends again: the whole text in its last chunk, or all of it so far in every chunk."""

_LEAST_WHOLE = 20  # characters of a whole text that comes once more
_REPETITIONS = 2  # in a last chunk and in a message: a model that repeats itself goes on
_LEAST_FIRST = 8  # characters of a first piece, if there are but two
_BEFORE_ANSWER = ("</think>", "</thinking>", "<|message|>", "<channel|>", "assistantfinal")


class RestatedText:
    """The text of one field, as its pieces come."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._size = 0
        self._held = ""  # the second piece, if the first begins it: the third tells whether all do
        self._repeated = 0
        self._ended = False  # the turn was said to be over: what comes is new, or all of it again
        self._again = ""
        self._grows = False  # every piece is the whole text so far

    def feed(self, piece: str) -> str:
        """Return what is new in `piece`."""
        if not piece:
            return ""
        if self._ended:
            self._again += piece
            if self._whole().startswith(self._again.lstrip()):
                return ""
            piece, self._again, self._ended = self._again, "", False
        if self._grows:
            return self._beyond(piece)
        if self._held:
            held, self._held = self._held, ""
            self._grows = len(piece) > len(held) and piece.startswith(held)
            if self._grows:
                return self._beyond(piece)
            return self._added(held) + self.feed(piece)
        if len(self._text) == 1 and len(piece) > self._size and piece.startswith(self._text[0]):
            self._held = piece
            return ""
        if self._repeated < _REPETITIONS and self._is_whole(piece):
            self._repeated += 1
            return ""
        return self._added(piece)

    def finish(self) -> None:
        """Note that the turn is said to be over; some servers say so with every piece."""
        self._ended = self._ended or bool(self._size)

    def end(self) -> str:
        """Return what was held back."""
        again = self._again.strip()
        if again and (len(again) >= _LEAST_WHOLE or again == self._whole().strip()):
            return ""
        if again:
            return self._added(self._again)
        held, self._held = self._held, ""
        return self._beyond(held) if self._size >= _LEAST_FIRST else self._added(held)

    def _added(self, piece: str) -> str:
        if piece:
            self._text.append(piece)
            self._size += len(piece)
        return piece

    def _beyond(self, piece: str) -> str:
        """Return what a piece has behind the text so far; one that does not begin with it is a part again."""
        text = self._whole()
        return self._added(piece[self._size :] if piece.startswith(text) else "" if text.startswith(piece) else piece)

    def _is_whole(self, piece: str) -> bool:
        """Return whether a piece is the whole text so far, or the answer behind its thinking."""
        said = piece.strip()
        if not _LEAST_WHOLE <= len(said) <= self._size:
            return False
        text = self._whole().rstrip()
        before = text.removesuffix(said).rstrip()
        return text.endswith(said) and (not before or before.endswith(_BEFORE_ANSWER))

    def _whole(self) -> str:
        self._text = ["".join(self._text)] if len(self._text) > 2 else self._text
        return "".join(self._text)
