"""What this program writes for notes is read back by the check of citations: the same lines, no other statements."""

from dataclasses import replace

import pytest

from desktop_rag.agent.citations.plain_answer import source_rows
from desktop_rag.agent.citations.written.citation_forms import WrittenCitation, read_citations
from desktop_rag.agent.conversations.transcript import Turn
from desktop_rag.agent.events import Claim
from desktop_rag.gui import formatting
from desktop_rag.gui.conversation.export.exported_conversation import exported
from desktop_rag.gui.conversation.export.html_export import as_markdown
from tests.gui.conversation.conftest import answered, citation

LEASE = "/home/ada/Flat [old]/lease (1)_a.pdf"
PLACE = (LEASE, 11, 14)
WORDS = "The landlord shall “give” notice."


def read(text: str) -> tuple[str, list[tuple[str, int, int]]]:
    """Return the words that remain, and the cited places."""
    parts = read_citations(text).parts
    cited = [part for part in parts if isinstance(part, WrittenCitation)]
    words = "".join(part for part in parts if isinstance(part, str))
    return words, [(place.names[0], place.first, place.last) for each in cited for place in each.places]


@pytest.mark.parametrize("title", ["Lease", "Lease: § 3, “old” (draft)", ""])
@pytest.mark.parametrize("page", [None, 3])
def test_copied_quotations_name_their_lines(title: str, page: int | None) -> None:
    for copied in (formatting.quotation, formatting.markdown_quotation):
        words, places = read(f"Before.\n\n{copied(WORDS, title, LEASE, page, 11, 14)}\n\nAfter.\n")
        assert places == [PLACE], words
        assert "lease" not in words.casefold()
        assert "Before." in words
        assert "After." in words


def test_an_answer_copied_with_its_sources_names_their_lines() -> None:
    first, second = replace(citation(1), path=LEASE), replace(citation(2), path=LEASE, section="2. Rent", page=None)
    expected = [(each.path, each.first_line, each.last_line) for each in (first, second)]
    rows = "\n".join(map(formatting.reference, (first, second)))
    words, places = read(f"It is due [1] twice [2].\n\n{rows}")
    assert [(LEASE.rpartition("/")[2], *lines) for _, *lines in expected] == places, words
    words, places = read("\n".join(("It is due [1] twice [2].", "", *source_rows((first, second)))))
    assert places == expected, words
    assert words.strip() == "It is due  twice ."


def test_an_exported_conversation_states_only_its_answers() -> None:
    sources = (replace(citation(1), path=LEASE), replace(citation(2, "not found"), path="/home/ada/b.eml"))
    text = "The rent is due [1](cite:1).\n\n> It is paid. [2](cite:2)\n\n*Quoted without a language model.*"
    doubt = Claim(0, 28, "silent", (1,))
    turns = [
        Turn(1, "When?", (replace(answered(text, sources), claims=(doubt,)),), 10**18),
        Turn(2, "And then?", (answered("Again [1](cite:1).", sources[:1]),), 2 * 10**18, 1),
    ]
    words, places = read(as_markdown(exported("Rent", turns, lambda _: None), file_links=True))
    assert places == [(each.path, each.first_line, each.last_line) for each in (*sources, sources[0])]
    stated = [line.rstrip() for line in words.split("\n") if line.strip() and not line.startswith("#")]
    doubted = "The rent is due. [The model does not find this in the cited lines]"
    assert stated == [doubted, "> It is paid.", "Again."]
