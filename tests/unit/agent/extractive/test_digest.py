"""Summaries quote sentences of the text in their order, and no address lines of mails."""

from desktop_rag.agent.extractive.digest import key_sentences, write_digest
from desktop_rag.llm.chat import Evidence

MAIL = (
    "From: Jens Müller <jens@mueller.example>",
    "To: Adaeze Okafor <ada@okafor.example>",
    "Subject: Roof repairs and rent",
    "",
    "The roof over bay 4 leaks. I have had the roof repaired, and will deduct the cost of the roof from the rent.",
    "Write to <ada@okafor.example> about the rent of the roof.",
)


def test_address_lines_are_no_sentences_and_the_order_is_kept() -> None:
    chosen = key_sentences([Evidence("turn1search1", "Roof repairs", 1, MAIL, 0.0)], 3)
    assert [each.focus[:9] for each in chosen] == ["The roof ", "I have ha", "Write to "]


def test_an_address_is_shown_as_it_is_written() -> None:
    chosen = key_sentences([Evidence("turn1search1", "Roof repairs", 1, MAIL, 0.0)], 3)
    assert "> Write to \\<ada@okafor.example> about" in write_digest(chosen, "").text
