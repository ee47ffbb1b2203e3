"""Estimates how many tokens the sentence encoder makes of a text, without loading its tokenizer."""

import re

# Fitted to the WordPiece vocabulary of all-MiniLM-L6-v2: an English word is one piece and its tenth letter
# begins another; digits come in twos or threes; other alphabets fall apart into pieces of a letter or two.
_PIECE = re.compile(r"[A-Za-z]{1,9}|\d{1,3}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_]{1,2}|[^\w\s]|_")


def estimate_tokens(text: str) -> int:
    """Return about how many tokens `text` is; within a fifth of the truth on English prose."""
    return len(_PIECE.findall(text))
