"""Lines with numbers are cut before a secret, never within it: half a card number has no form that masks know."""

from desktop_rag.agent.tools.numbered_lines import number_lines, preview

CARD = "4111 1111 1111 1111"
BEFORE = " ".join(f"word{number}" for number in range(200))
LINE = f"{BEFORE} {CARD} {BEFORE}"


def test_a_preview_shows_a_card_whole_or_not_at_all() -> None:
    shown = [preview([LINE], 1, f"word{number} ")[1].text for number in range(90, 200)]
    assert any(CARD in text for text in shown)
    assert not [text for text in shown if "1111" in text.replace(CARD, "")]


def test_a_line_that_is_too_long_ends_before_a_card() -> None:
    shown = [number_lines([LINE[start:]], 1, 400, len) for start in range(600, len(BEFORE), 3)]
    assert any(CARD in each.text for each in shown)
    assert not [each.text for each in shown if "1111" in each.text.replace(CARD, "")]
