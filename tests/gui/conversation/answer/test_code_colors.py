"""Blocks of code get their colours, and the window does not wait for the languages."""

import pygments.lexers
import pytest

from desktop_rag.gui.conversation.answer import code_colors
from desktop_rag.gui.conversation.answer.code_colors import code_spans, load_languages
from desktop_rag.gui.theme.theme_colors import DARK, LIGHT, TokenKind, shades


def test_code_is_coloured_by_the_theme() -> None:
    (keyword, *_) = code_spans("return 2", "python", LIGHT)
    assert keyword == (0, 6, shades(LIGHT)[TokenKind.KEYWORD])
    assert code_spans("return 2", "python", DARK)[0] == (0, 6, shades(DARK)[TokenKind.KEYWORD])
    assert code_spans("return 2", "no such language", LIGHT) == ()


def test_a_language_that_was_loaded_is_not_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    code_colors._lexer.cache_clear()
    code_colors._spans.cache_clear()
    load_languages("Some code:\n\n> ```Rust\n> fn main() {}\n> ```\n~~~ no such language\n")
    monkeypatch.delattr(pygments.lexers, "get_lexer_by_name")
    assert code_spans("fn main() {}", "rust", LIGHT)[0][:2] == (0, 2)
