"""Blocks of code get their colours, and the window does not wait for the languages."""

import pygments.lexers
import pytest

from desktop_rag.gui.conversation import code_colors
from desktop_rag.gui.conversation.code_colors import code_spans, load_languages
from desktop_rag.gui.theme_colors import DARK, LIGHT
from desktop_rag.gui.tones import Tone, shades


def test_code_is_coloured_in_the_colours_of_the_look() -> None:
    (keyword, *_) = code_spans("return 2", "python", LIGHT)
    assert keyword == (0, 6, shades(LIGHT)[Tone.KEYWORD])
    assert code_spans("return 2", "python", DARK)[0] == (0, 6, shades(DARK)[Tone.KEYWORD])
    assert code_spans("return 2", "no such language", LIGHT) == ()


def test_a_language_that_was_loaded_is_not_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    code_colors._lexer.cache_clear()
    code_colors._spans.cache_clear()
    load_languages("Some code:\n\n> ```Rust\n> fn main() {}\n> ```\n~~~ no such language\n")
    monkeypatch.delattr(pygments.lexers, "get_lexer_by_name")
    assert code_spans("fn main() {}", "rust", LIGHT)[0][:2] == (0, 2)
